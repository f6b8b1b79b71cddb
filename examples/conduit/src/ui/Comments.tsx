import { useController, useLoading, useSuspense } from 'holdfast/react';
import { useState, type ReactElement } from 'react';
import { CommentResource, type Comment } from '../data/Comment.ts';
import { useSession } from '../data/useSession.ts';
import { Link } from '../routing.tsx';
import { Byline } from './Byline.tsx';
import { Problems } from './Failure.tsx';
import { Pending } from './Pending.tsx';

export function Comments({ slug }: { readonly slug: string }): ReactElement {
  const controller = useController();
  const session = useSession();
  const { comments } = useSuspense(CommentResource.getList, { slug });
  return (
    <>
      {session === null ? (
        <p>
          <Link to="/login">Sign in</Link> to write a comment.
        </p>
      ) : (
        <CommentForm slug={slug} />
      )}
      <ul>
        {comments.map((comment) => (
          <li key={controller.keyOf(comment)} className="comment">
            <p>{comment.body}</p>
            <Byline author={comment.author} date={comment.createdAt}>
              <Pending of={comment} />
              {session?.username === comment.author.username && (
                <DeleteButton slug={slug} comment={comment} />
              )}
            </Byline>
          </li>
        ))}
      </ul>
    </>
  );
}

function CommentForm({ slug }: { readonly slug: string }): ReactElement {
  const controller = useController();
  const [body, setBody] = useState('');
  const [send, , error] = useLoading(async () => {
    setBody('');
    try {
      await controller.fetch(CommentResource.create, { slug }, { body });
    } catch (problem) {
      setBody(body);
      throw problem;
    }
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label>
        Your comment
        <textarea rows={3} required value={body} onChange={(event) => setBody(event.target.value)} />
      </label>
      <Problems error={error} />
      <button type="submit">Post comment</button>
    </form>
  );
}

function DeleteButton({ slug, comment }: { readonly slug: string; readonly comment: Comment }): ReactElement {
  const controller = useController();
  const [remove, , error] = useLoading(() =>
    controller.fetch(CommentResource.delete, { slug, id: comment.id }),
  );
  return (
    <>
      <button className="is-quiet" onClick={() => void remove()}>
        Delete<span className="visually-hidden"> comment</span>
      </button>
      <Problems error={error} />
    </>
  );
}
