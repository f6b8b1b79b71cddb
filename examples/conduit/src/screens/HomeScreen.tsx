import { AsyncBoundary, useController, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { ArticleResource } from '../data/ArticleResource.ts';
import { getTags } from '../data/tags.ts';
import { useSession } from '../data/useSession.ts';
import { Link } from '../routing.tsx';
import { ArticleList, pageSize } from '../ui/ArticleList.tsx';
import { Failure } from '../ui/Failure.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { Tags } from '../ui/Tags.tsx';

interface HomeScreenProps {
  readonly tag: string | null;
  readonly isFeed: boolean;
}

export function HomeScreen({ tag, isFeed }: HomeScreenProps): ReactElement {
  const session = useSession();
  return (
    <div className="columns">
      <section aria-label="Articles">
        <h1 className="visually-hidden">Articles</h1>
        <nav className="tabs" aria-label="Lists of articles">
          {session !== null && <Link to="/?feed">Your feed</Link>}
          <Link to="/">All articles</Link>
          {tag !== null && <Link to={`/?tag=${encodeURIComponent(tag)}`}># {tag}</Link>}
        </nav>
        <AsyncBoundary key={`${isFeed} ${tag}`} fallback={<Spinner />} errorComponent={Failure}>
          {isFeed ? <Feed /> : <Articles {...(tag !== null && { tag })} />}
        </AsyncBoundary>
      </section>
      <aside>
        <h2>Tags</h2>
        <AsyncBoundary fallback={<Spinner />} errorComponent={Failure}>
          <AllTags />
        </AsyncBoundary>
      </aside>
    </div>
  );
}

interface ArticlesProps {
  readonly tag?: string;
  readonly author?: string;
  readonly favorited?: string;
}

export function Articles(filter: ArticlesProps): ReactElement {
  const controller = useController();
  const params = { ...filter, limit: pageSize };
  const { articles, articlesCount } = useSuspense(ArticleResource.getList, params);
  return (
    <ArticleList
      articles={articles}
      count={articlesCount}
      loadMore={(offset) => controller.fetch(ArticleResource.getList.getPage, { ...params, offset })}
    />
  );
}

function Feed(): ReactElement {
  const controller = useController();
  const params = { limit: pageSize };
  const { articles, articlesCount } = useSuspense(ArticleResource.getFeed, params);
  return (
    <ArticleList
      articles={articles}
      count={articlesCount}
      loadMore={(offset) => controller.fetch(ArticleResource.getFeed.getPage, { ...params, offset })}
    />
  );
}

function AllTags(): ReactElement {
  return <Tags names={useSuspense(getTags)} />;
}
