import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { equal } from 'node:assert/strict';
import { ArticleResource } from '../../../docs/examples/ssrPage.tsx';
import { prefetch } from '../../../docs/examples/worker.ts';
import { network } from '../../../docs/examples/prelude.tsx';

// What the worker has fetched, the page shows without a network.
await prefetch();
network.isDown = true;
const page = new Controller({ plugins: [indexedDB({ name: 'articles', persist: 'all' })] });
equal((await page.fetchIfStale(ArticleResource.getList))[0]?.title, 'Kelp');
