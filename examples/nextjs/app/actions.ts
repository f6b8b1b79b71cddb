'use server';

import { revalidatePath } from 'next/cache';
import { ArticleResource } from './resources';

export async function publish(id: string) {
  await ArticleResource.partialUpdate({ id }, { isPublished: true });
  revalidatePath('/');
}
