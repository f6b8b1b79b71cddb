import type { IncomingMessage, ServerResponse } from 'node:http';

export const articles: { id: string; title: string; isPublished: boolean }[];
export function api(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown>;
