import { useController, useLoading } from 'holdfast/react';
import type { ReactElement } from 'react';
import type { ArticleSummary } from '../data/Article.ts';
import { ArticleResource } from '../data/ArticleResource.ts';
import { useSession } from '../data/useSession.ts';
import { navigate } from '../routing.tsx';

export function FavoriteButton({ article }: { readonly article: ArticleSummary }): ReactElement {
  const controller = useController();
  const session = useSession();
  const { slug, favorited, favoritesCount } = article;
  const [toggle] = useLoading(async () => {
    if (session === null) navigate('/login');
    else await controller.fetch(favorited ? ArticleResource.unfavorite : ArticleResource.favorite, { slug });
  });
  return (
    <button
      className="favorite"
      aria-pressed={favorited}
      aria-label={`Favorite, ${favoritesCount}`}
      onClick={() => void toggle()}
    >
      <span aria-hidden="true">{favorited ? '♥' : '♡'}</span> {favoritesCount}
    </button>
  );
}
