import { useController, useLoading } from 'holdfast/react';
import type { ReactElement } from 'react';
import type { ArticleSummary } from '../data/Article.ts';
import { Link, pathTo } from '../routing.tsx';
import { Byline } from './Byline.tsx';
import { Problems } from './Failure.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { Pending } from './Pending.tsx';
import { Tags } from './Tags.tsx';

/** How many articles are read at a time. */
export const pageSize = 5;

interface ArticleListProps {
  readonly articles: readonly ArticleSummary[];
  /** How many the server has. */
  readonly count: number;
  /** Reads the page that begins after so many. */
  readonly loadMore: (offset: number) => Promise<unknown>;
}

export function ArticleList({ articles, count, loadMore }: ArticleListProps): ReactElement {
  const controller = useController();
  const [more, isLoading, error] = useLoading(() => loadMore(articles.length));
  if (articles.length === 0) return <p className="empty">No articles are here yet.</p>;
  return (
    <>
      <ul className="articles">
        {articles.map((article) => (
          <li key={controller.keyOf(article)}>
            <ArticlePreview article={article} />
          </li>
        ))}
      </ul>
      <Problems error={error} />
      {articles.length < count && (
        <button className="more" disabled={isLoading} onClick={() => void more()}>
          More articles
        </button>
      )}
    </>
  );
}

function ArticlePreview({ article }: { readonly article: ArticleSummary }): ReactElement {
  const { slug, title, description, tagList, author, createdAt } = article;
  return (
    <article className="preview">
      <Byline author={author} date={createdAt}>
        <Pending of={article} />
        <FavoriteButton article={article} />
      </Byline>
      <h2>
        <Link to={pathTo('article', slug)}>{title}</Link>
      </h2>
      <p>{description}</p>
      <Tags names={tagList} />
    </article>
  );
}
