import { useController, useLoading } from 'holdfast/react';
import type { ReactElement } from 'react';
import { ArticleResource } from '../data/ArticleResource.ts';
import { ProfileResource, type Profile } from '../data/Profile.ts';
import { useSession } from '../data/useSession.ts';
import { navigate } from '../routing.tsx';

export function FollowButton({ profile }: { readonly profile: Profile }): ReactElement | null {
  const controller = useController();
  const session = useSession();
  const { username, following } = profile;
  const [toggle] = useLoading(async () => {
    if (session === null) {
      navigate('/login');
      return;
    }
    await controller.fetch(following ? ProfileResource.unfollow : ProfileResource.follow, { username });
    // The feed has other articles now; it is read again when it is next opened.
    controller.expireAll(ArticleResource.getFeed);
  });
  if (session?.username === username) return null;
  return (
    <button aria-pressed={following} onClick={() => void toggle()}>
      {following ? 'Following' : 'Follow'} {username}
    </button>
  );
}
