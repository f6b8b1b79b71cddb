/**
 * Whether this is a page or a worker in WebKit, such as Safari and every browser on iOS. Workers have no
 * `navigator.vendor`. Blink, jsdom and happy-dom name the frozen version 537.36 of WebKit.
 */
export function isWebKit(): boolean {
  return typeof navigator !== 'undefined' && /AppleWebKit\/(?!537\.36\b)/.test(navigator.userAgent);
}
