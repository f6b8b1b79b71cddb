import {
  All,
  Controller,
  Endpoint,
  Entity,
  type Commit,
  type HoldfastError,
  type Plugin,
  type Schedule,
} from 'holdfast';
import { tabs, type TabsOptions } from 'holdfast/tabs';
import { Author } from './entities.ts';

export class ArticleWithText extends Entity {
  id = '';
  title = '';
  text = '';
  author: Author | undefined = undefined;
  static override key = 'Article';
  static override schema = { author: Author };
}

export const getArticle = new Endpoint(
  async ({ id }: { id: string }) => ({ id, title: 'from the network' }),
  {
    name: 'getArticle',
    schema: ArticleWithText,
  },
);

export const getArticles = new Endpoint(async () => [{ id: '1', title: 'from the network' }], {
  name: 'getArticles',
  schema: [ArticleWithText],
});

export const allArticles = new All(ArticleWithText);

/** One tab of an app. */
export interface Tab {
  readonly controller: Controller;
  readonly commits: Commit[];
  readonly errors: HoldfastError[];
  title(id: string): string | undefined;
  write(id: string, title: string): void;
}

/** Opens a tab. */
export function openTab(
  options: TabsOptions & {
    readonly now?: () => number;
    readonly schedule?: Schedule;
    readonly plugins?: readonly Plugin[];
  } = {},
): Tab {
  const { now, schedule, plugins = [], ...rest } = options;
  const commits: Commit[] = [];
  const errors: HoldfastError[] = [];
  const controller = new Controller({
    ...(now === undefined ? {} : { now }),
    ...(schedule === undefined ? {} : { schedule }),
    plugins: [
      tabs({ onError: (error) => errors.push(error), ...rest }),
      { name: 'log', commit: (commit) => void commits.push(commit) },
      ...plugins,
    ],
  });
  return {
    controller,
    commits,
    errors,
    title: (id) => controller.get(ArticleWithText, { id })?.title,
    write: (id, title) => controller.set(ArticleWithText, { id }, { id, title }),
  };
}

/** The event of a page that becomes visible again. */
export function wakePages(): void {
  document.dispatchEvent(new Event('visibilitychange'));
}
