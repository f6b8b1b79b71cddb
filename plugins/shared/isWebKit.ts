/** Whether this is a page in WebKit, such as Safari. */
export function isWebKit(): boolean {
  return (
    typeof navigator !== 'undefined' && (navigator as Partial<Navigator>).vendor?.startsWith('Apple') === true
  );
}
