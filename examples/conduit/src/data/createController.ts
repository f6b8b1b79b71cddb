import { Controller, reachability, refetchOn, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { server } from './ApiEndpoint.ts';
import { ArticleResource } from './ArticleResource.ts';
import { CommentResource } from './Comment.ts';
import { ProfileResource } from './Profile.ts';
import { currentScope, currentSession } from './session.ts';

const name = 'conduit';

/**
 * Everything that one person has on this device: what was read, what is not sent yet, and the other tabs.
 *
 * @param scope - of the person, as `currentScope` gives it
 * @param onError - told of what the person should know
 */
export function createController(scope: string, onError?: (error: HoldfastError) => void): Controller {
  const own = onError === undefined ? {} : { onError };
  return new Controller({
    plugins: [
      indexedDB({ name, scope, persist: 'all', ...own }),
      outbox({
        name,
        scope,
        currentScope,
        endpoints: [ArticleResource, CommentResource, ProfileResource],
        init: () => ({ headers: { Authorization: `Token ${currentSession()?.token}` } }),
        ...own,
      }),
      reachability({ url: `${server.url}/tags` }),
      refetchOn(),
      tabs({ name, scope }),
    ],
  });
}
