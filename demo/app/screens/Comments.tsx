import { isTemporaryPk } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { useState, type KeyboardEvent } from 'react';
import { describeError, type Problem } from '../data/describeError.ts';
import { CommentResource } from '../model/Comment.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { PendingMark } from '../outbox/PendingMark.tsx';
import { useMark } from '../outbox/queue.ts';
import { Link } from '../routing/Link.tsx';
import { personPath } from '../routing/route.ts';
import { useSession } from '../session/SessionContext.ts';
import { useDraft } from '../settings/useDraft.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Prose } from '../ui/Prose.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';

export function Comments({ issue }: { issue: string }) {
  const controller = useController();
  const comments = useSuspense(CommentResource.getList, { issue });
  return (
    <section className="comments" aria-label="Comments">
      <h2>
        Comments <span className="count">{comments.length}</span>
      </h2>
      <ol role="list">
        {comments.map((comment) => (
          <li key={controller.keyOf(comment)} className="comment">
            <Avatar person={comment.author} />
            <div>
              <p className="byline">
                <Link href={personPath(comment.author.id)}>{comment.author.name}</Link>
                <span className="muted">
                  <RelativeTime date={comment.createdAt} />
                </span>
                <CommentMark comment={comment.id} />
              </p>
              <Prose text={comment.body} />
            </div>
          </li>
        ))}
      </ol>
      <CommentForm issue={issue} />
    </section>
  );
}

function CommentMark({ comment }: { comment: string }) {
  return <PendingMark mark={useMark(comment)} />;
}

function CommentForm({ issue }: { issue: string }) {
  const controller = useController();
  const { person: me } = useSession();
  const draft = useDraft(`comment.${issue}`, { body: '' });
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { body } = draft.value;

  async function send() {
    setSending(true);
    try {
      const comment = await controller.fetch(CommentResource.create, { issue }, { body, author: me.id });
      draft.discard();
      setProblem(undefined);
      // Its number of comments and the time of its last change come from the server.
      if (!isTemporaryPk(comment.id)) await controller.fetch(IssueResource.get, { id: issue });
    } catch (error) {
      setProblem(describeError(error));
    } finally {
      setSending(false);
    }
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
    if (event.key === 'Escape') event.currentTarget.blur();
  }

  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (body.trim() !== '') void send();
      }}
    >
      {problem && <Notice tone="warning">{problem.message}</Notice>}
      <label className="field">
        <span className="visually-hidden">Write a comment</span>
        <textarea
          placeholder="Write a comment…"
          rows={3}
          maxLength={20_000}
          value={body}
          onKeyDown={press}
          onChange={(event) => {
            draft.change({ body: event.target.value });
          }}
        />
      </label>
      <div className="form-actions">
        <button type="submit" className="button button-primary" disabled={sending || body.trim() === ''}>
          {sending ? 'Sending…' : 'Comment'}
        </button>
      </div>
    </form>
  );
}
