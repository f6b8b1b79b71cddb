import { isTemporaryPk } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { useEffect, useRef, useState } from 'react';
import { describeError } from '../data/describeError.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import type { Issue } from '../model/Issue.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { PendingMark } from '../outbox/PendingMark.tsx';
import { markOf, shownId, useMark, useQueue } from '../outbox/queue.ts';
import { Link } from '../routing/Link.tsx';
import { navigate } from '../routing/navigation.ts';
import { issuePath, personPath } from '../routing/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Prose } from '../ui/Prose.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { Comments } from './Comments.tsx';
import { IssueEditor } from './IssueEditor.tsx';
import { IssueProperties } from './IssueProperties.tsx';

export function IssueDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const issue = useSuspense(IssueResource.get, { id });
  const mark = useMark(issue.id);
  const [editing, setEditing] = useState(false);
  const edit = () => {
    setEditing(true);
  };
  useShortcuts({ e: edit });
  useServersAddress(id, issue);

  return (
    <article className="detail">
      <title>{`${shownId(issue.id)} ${issue.title} · Mooring`}</title>
      <div className="detail-bar">
        <button
          type="button"
          className="icon-button detail-back"
          onClick={onClose}
          aria-label="Back to the list"
          title="Back (Esc)"
        >
          <Icon name="arrowLeft" />
        </button>
        <span className="detail-id">{shownId(issue.id)}</span>
        <PendingMark mark={mark} />
        <span className="spacer" />
        <button
          type="button"
          className="button button-quiet"
          onClick={edit}
          disabled={editing}
          aria-keyshortcuts="e"
        >
          <Icon name="edit" /> Edit
        </button>
        <DeleteButton issue={issue} onDeleted={onClose} />
        <button
          type="button"
          className="icon-button detail-close"
          onClick={onClose}
          aria-label="Close"
          title="Close (Esc)"
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="detail-scroll">
        {editing ? (
          <IssueEditor
            issue={issue}
            onDone={() => {
              setEditing(false);
            }}
          />
        ) : (
          <IssueHeading issue={issue} />
        )}
        <IssueProperties issue={issue} />
        {!editing && (
          <div className="detail-text">
            <Prose text={issue.body} />
          </div>
        )}
        <div className="quiet">
          <Boundary resetKey={issue.id} what="The comments" fallback={<Skeleton kind="comments" rows={3} />}>
            <Comments issue={issue.id} />
          </Boundary>
        </div>
      </div>
    </article>
  );
}

/** Once the server has given a new issue its id, the address has it too. */
function useServersAddress(id: string, issue: Issue): void {
  useEffect(() => {
    const { pathname, search } = window.location;
    if (id === issue.id || !pathname.endsWith(`/${id}`)) return;
    navigate(issuePath(issue.project.id, issue.id) + search, { replace: true });
  }, [id, issue]);
}

function IssueHeading({ issue }: { issue: Issue }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Moves the focus here when the issue is opened from the list; the first load leaves the focus where it is.
    if (document.activeElement?.matches('[data-row]')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="detail-text">
      <h1 ref={heading} tabIndex={-1}>
        {issue.title}
      </h1>
      <p className="byline">
        <Avatar person={issue.author} />
        <Link href={personPath(issue.author.id)}>{issue.author.name}</Link>
        <span className="muted">
          opened <RelativeTime date={issue.createdAt} />
        </span>
      </p>
    </div>
  );
}

function DeleteButton({ issue, onDeleted }: { issue: Issue; onDeleted: () => void }) {
  const controller = useController();
  const queue = useQueue();
  const [asking, setAsking] = useState(false);

  async function remove() {
    setAsking(false);
    const { id } = issue;
    try {
      await controller.fetch(IssueResource.delete, { id });
    } catch (error) {
      const { message } = describeError(error);
      toast(`${shownId(id)} was not deleted. ${message}`, { tone: 'warning' });
      return;
    }
    onDeleted();
    toast(
      markOf(queue, id)
        ? 'Deleted on this device. The server deletes it when it can be reached.'
        : `${id} was deleted.`,
    );
  }

  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Delete"
        title="Delete"
        onClick={() => {
          setAsking(true);
        }}
      >
        <Icon name="trash" />
      </button>
      {asking && (
        <ConfirmDialog
          title={`Delete ${isTemporaryPk(issue.id) ? 'the new issue' : issue.id}?`}
          confirm="Delete issue"
          onConfirm={() => void remove()}
          onCancel={() => {
            setAsking(false);
          }}
        >
          “{issue.title}” and its comments will be deleted for everybody.
        </ConfirmDialog>
      )}
    </>
  );
}
