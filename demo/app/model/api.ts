/**
 * Where the REST server is. The page says it, so that one build serves with any address; into the service worker, which
 * has no page, the server of the app writes it in place of this one (see server/startStatic.mjs).
 */
export const api =
  (typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="api"]')?.content) ?? 'http://localhost:8081';
