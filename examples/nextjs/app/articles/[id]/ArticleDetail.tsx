'use client';

import { useSuspense } from 'holdfast/react';
import { ArticleResource } from '../../resources';

export function ArticleDetail({ id }: { id: string }) {
  const { title } = useSuspense(ArticleResource.get, { id });
  return <h1>{title}</h1>;
}
