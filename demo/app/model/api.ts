/** Where the REST server is: the page says it, so that one build serves with any address (see server/startStatic.mjs). */
export const api =
  document.querySelector<HTMLMetaElement>('meta[name="api"]')?.content ?? 'http://localhost:8081';
