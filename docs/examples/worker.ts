import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { ArticleResource } from './ssrPage.tsx';

const controller = new Controller({
  plugins: [indexedDB({ name: 'articles', persist: 'all' })],
});

/** A service worker runs this on `periodicsync`, in `event.waitUntil`. */
export async function prefetch(): Promise<void> {
  await controller.fetch(ArticleResource.getList);
  await controller.flush(); // the browser may stop a worker at any time
}
