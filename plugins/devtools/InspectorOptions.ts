/** Options of the inspector. */
export interface InspectorOptions {
  /** The corner of the button that opens it. Default: `'bottom-right'`. */
  readonly position?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
  /** The keyboard shortcut that opens and closes it; false for none. Default: `'Alt+Shift+H'`. */
  readonly shortcut?: string | false;
  /** Whether it is open if the session storage has no state. Default: false. */
  readonly defaultOpen?: boolean;
}
