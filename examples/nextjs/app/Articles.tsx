'use client';

import { useController, useSuspense } from 'holdfast/react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { publish } from './actions';
import { ArticleResource } from './resources';

export function Articles() {
  const controller = useController();
  const router = useRouter();
  const articles = useSuspense(ArticleResource.getList);
  const rename = (id: string, title: string) =>
    controller.fetch(ArticleResource.partialUpdate, { id }, { title });
  return (
    <>
      <ul>
        {articles.map(({ id, title, isPublished }) => (
          <li key={id}>
            <Link href={`/articles/${id}`}>{title}</Link>{' '}
            {isPublished ? (
              <em>published</em>
            ) : (
              <button onClick={() => publish(id)}>Publish</button>
            )}{' '}
            <button onClick={() => rename(id, `${title}!`)}>Rename</button>
          </li>
        ))}
      </ul>
      <button onClick={() => router.refresh()}>Refresh</button>
    </>
  );
}
