/**
 * What the app can do about a failure of IndexedDB. After WebKit has lost its storage process, nothing works again in this
 * page (`UnknownError: Connection to Indexed Database server lost. Refresh the page to try again`,
 * https://webkit.org/b/277615).
 *
 * @param otherwise - the advice for any other failure
 */
export function remedy(cause: unknown, otherwise: string): string {
  const { message } = (cause ?? {}) as { readonly message?: unknown }; // an error of any realm has one
  return /server lost/i.test(String(message))
    ? 'the browser has lost its storage process, so reload the page'
    : otherwise;
}
