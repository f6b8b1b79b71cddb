/** Options of the inspector. */
export interface InspectorOptions {
  /** The corner with the button that opens it. Default: `'bottom-right'`. */
  readonly position?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
  /** Keys that open and close it; false for none. Default: `'Alt+Shift+H'`. */
  readonly shortcut?: string | false;
  /** Whether it is open where the session does not remember. Default: false. */
  readonly defaultOpen?: boolean;
}
