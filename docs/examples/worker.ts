import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { ArticleResource } from './ssrPage.tsx';

const controller = new Controller({
  plugins: [indexedDB({ name: 'articles', persist: 'all' })],
});

/** What a service worker does on `periodicsync`, in `event.waitUntil`. */
export async function prefetch(): Promise<void> {
  await controller.fetch(ArticleResource.getList);
  await controller.flush(); // a worker may be stopped at any time
}
