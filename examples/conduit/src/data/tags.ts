import { ApiEndpoint } from './ApiEndpoint.ts';

export const getTags = new ApiEndpoint({
  path: '/tags',
  process: (value: unknown) => (value as { tags: string[] }).tags, // as the API answers
});
