import { useOutbox, type OutboxEntry } from 'holdfast/outbox';
import type { ReactElement } from 'react';

const names: Readonly<Record<string, string>> = {
  'Article.create': 'New article',
  'Article.update': 'Changed article',
  'Article.delete': 'Deleted article',
  'Article.favorite': 'Favorite',
  'Article.unfavorite': 'No favorite any more',
  'Comment.create': 'Comment',
  'Comment.delete': 'Deleted comment',
  'Profile.follow': 'Follow',
  'Profile.unfollow': 'Unfollow',
};

const states: Readonly<Record<OutboxEntry['status'], string>> = {
  queued: 'waits',
  retrying: 'is tried again soon',
  sending: 'is being sent',
  'needs-auth': 'waits for you to sign in',
  blocked: 'does not get through',
  failed: 'was not accepted',
  conflict: 'was changed by somebody else, too',
};

/** What the server does not have yet. */
export function UnsentScreen(): ReactElement {
  const { entries, retry, discard } = useOutbox();
  return (
    <section className="page">
      <h1>Not sent yet</h1>
      {entries.length === 0 && <p className="empty">Everything you did is on the server.</p>}
      <ul className="entries">
        {entries.map((entry) => (
          <li key={entry.key} data-status={entry.status}>
            <h2>{names[entry.name] ?? entry.name}</h2>
            <p>{textOf(entry)}</p>
            <p className="state">
              {states[entry.status]}
              {entry.error && `: ${entry.error.message}`}
            </p>
            <button onClick={() => retry(entry.key)}>Try again</button>
            <button className="is-dangerous" onClick={() => discard(entry.key)}>
              Discard
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What an entry is about: what it was written with, or the name in its path. */
function textOf({ args }: OutboxEntry): string {
  const { title, body, slug, username } = Object.assign({}, ...args) as Readonly<Record<string, string>>; // those of the resources
  return title ?? body ?? slug ?? username ?? '';
}
