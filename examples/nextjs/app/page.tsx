import { Controller, serialize } from 'holdfast';
import { AsyncBoundary, HydrateState } from 'holdfast/react';
import { connection } from 'next/server';
import { Articles } from './Articles';
import { ArticleResource } from './resources';

export default function Page() {
  return (
    <main>
      <h1>Articles</h1>
      <AsyncBoundary fallback={<p>Loading…</p>}>
        <List />
      </AsyncBoundary>
    </main>
  );
}

async function List() {
  await connection(); // render per request, not during the build
  const controller = new Controller(); // one per request
  await controller.fetch(ArticleResource.getList);
  return (
    <HydrateState state={serialize(controller)}>
      <Articles />
    </HydrateState>
  );
}
