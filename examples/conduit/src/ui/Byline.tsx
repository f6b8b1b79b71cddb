import type { ReactElement, ReactNode } from 'react';
import type { Profile } from '../data/Profile.ts';
import { Link, pathTo } from '../routing.tsx';

interface BylineProps {
  readonly author: Profile;
  readonly date: Date;
  readonly children?: ReactNode;
}

export function Byline({ author, date, children }: BylineProps): ReactElement {
  return (
    <div className="byline">
      <Avatar of={author} />
      <Link to={pathTo('profile', author.username)}>{author.username}</Link>
      <time dateTime={date.toISOString()}>{date.toLocaleDateString('en', { dateStyle: 'medium' })}</time>
      {children}
    </div>
  );
}

export function Avatar({ of: { username, image } }: { readonly of: Profile }): ReactElement {
  return image ? (
    <img className="avatar" src={image} alt="" />
  ) : (
    <span className="avatar" aria-hidden="true">
      {username.slice(0, 1)}
    </span>
  );
}
