import { AsyncBoundary, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { ProfileResource } from '../data/Profile.ts';
import { useSession } from '../data/useSession.ts';
import { Link, pathTo } from '../routing.tsx';
import { Avatar } from '../ui/Byline.tsx';
import { Failure } from '../ui/Failure.tsx';
import { FollowButton } from '../ui/FollowButton.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { Articles } from './HomeScreen.tsx';

interface ProfileScreenProps {
  readonly username: string;
  readonly isFavorites: boolean;
}

export function ProfileScreen({ username, isFavorites }: ProfileScreenProps): ReactElement {
  const { profile } = useSuspense(ProfileResource.get, { username });
  const session = useSession();
  return (
    <section className="page">
      <div className="profile">
        <Avatar of={profile} />
        <h1>{profile.username}</h1>
        {profile.bio !== null && <p>{profile.bio}</p>}
        <FollowButton profile={profile} />
        {session?.username === username && (
          <Link to="/settings" className="button">
            Settings
          </Link>
        )}
      </div>
      <nav className="tabs" aria-label="Lists of articles">
        <Link to={pathTo('profile', username)}>By {username}</Link>
        <Link to={pathTo('profile', username, 'favorites')}>Favorites</Link>
      </nav>
      <AsyncBoundary fallback={<Spinner />} errorComponent={Failure}>
        <Articles {...(isFavorites ? { favorited: username } : { author: username })} />
      </AsyncBoundary>
    </section>
  );
}
