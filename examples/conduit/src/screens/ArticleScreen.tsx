import { AsyncBoundary, useController, useLoading, useSuspense } from 'holdfast/react';
import { useEffect, type ReactElement } from 'react';
import type { Article } from '../data/Article.ts';
import { ArticleResource } from '../data/ArticleResource.ts';
import { useSession } from '../data/useSession.ts';
import { Link, navigate, pathTo } from '../routing.tsx';
import { Byline } from '../ui/Byline.tsx';
import { Comments } from '../ui/Comments.tsx';
import { Failure, Problems } from '../ui/Failure.tsx';
import { FavoriteButton } from '../ui/FavoriteButton.tsx';
import { FollowButton } from '../ui/FollowButton.tsx';
import { Pending } from '../ui/Pending.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { Tags } from '../ui/Tags.tsx';

export function ArticleScreen({ slug }: { readonly slug: string }): ReactElement {
  const { article } = useSuspense(ArticleResource.get, { slug });
  // The server has given it another slug: the old one would not be found after a reload.
  useEffect(() => {
    if (article.slug !== slug) navigate(pathTo('article', article.slug), { replace: true });
  }, [article.slug, slug]);
  return (
    <article className="page">
      <h1>{article.title}</h1>
      <Byline author={article.author} date={article.createdAt}>
        <Pending of={article} />
      </Byline>
      <Actions article={article} />
      <div className="prose">
        {article.body.split(/\n{2,}/).map((paragraph, place) => (
          <p key={place}>{paragraph}</p>
        ))}
      </div>
      <Tags names={article.tagList} />
      <section aria-label="Comments" className="comments">
        <h2>Comments</h2>
        <AsyncBoundary fallback={<Spinner />} errorComponent={Failure}>
          <Comments slug={slug} />
        </AsyncBoundary>
      </section>
    </article>
  );
}

function Actions({ article }: { readonly article: Article }): ReactElement {
  const controller = useController();
  const session = useSession();
  const [remove, isRemoving, error] = useLoading(async () => {
    if (!confirm(`Delete “${article.title}”?`)) return;
    navigate('/');
    await controller.fetch(ArticleResource.delete, { slug: article.slug });
  });
  return (
    <div className="actions">
      <FavoriteButton article={article} />
      {session?.username === article.author.username ? (
        <>
          <Link to={pathTo('editor', article.slug)} className="button">
            Edit
          </Link>
          <button className="is-dangerous" disabled={isRemoving} onClick={() => void remove()}>
            Delete
          </button>
        </>
      ) : (
        <FollowButton profile={article.author} />
      )}
      <Problems error={error} />
    </div>
  );
}
