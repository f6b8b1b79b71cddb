import { useController } from 'holdfast/react';
import { useEffect, useId, useRef, useState } from 'react';
import { describeError } from '../data/describeError.ts';
import type { IssueChanges, IssueText } from '../model/Issue.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { Notice } from '../ui/Notice.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { ConflictField, type Choice } from './ConflictField.tsx';
import { mergedText } from './mergedText.ts';

const fields = ['title', 'body'] as const;

/** The server's version of an issue, as far as it matters here. */
export interface Theirs extends IssueText {
  readonly version: number;
  readonly updatedAt: Date;
}

/** Two people have changed one text: shows both versions, and lets a person take either, or make one of both. */
export function ConflictDialog({
  issue: id,
  mine,
  theirs: known,
  onSave,
  onTheirs,
  onClose,
}: {
  issue: string;
  mine: IssueChanges;
  /** The server's version, where it is on this device. Otherwise it is fetched. */
  theirs?: Theirs | undefined;
  /** Called with what was decided on, made to the server's version. */
  onSave: (changes: Required<Pick<IssueChanges, 'version' | 'base'>> & Partial<IssueText>) => void;
  /** Called when the server's version stays. */
  onTheirs: () => void;
  onClose: () => void;
}) {
  const controller = useController();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [theirs, setTheirs] = useState(known);
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<Partial<Record<keyof IssueText, Choice>>>({});

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const isKnown = theirs !== undefined;
  useEffect(() => {
    if (isKnown) return undefined;
    let isOpen = true;
    // What is on this device may be the version that both began with.
    controller.fetch(IssueResource.get, { id }).then(
      (issue) => {
        if (isOpen) setTheirs(issue);
      },
      (error: unknown) => {
        if (isOpen) setProblem(describeError(error).message);
      },
    );
    return () => {
      isOpen = false;
    };
  }, [controller, id, isKnown]);

  const differing = theirs
    ? fields.filter((field) => mine[field] !== undefined && mine[field] !== theirs[field])
    : [];

  function choiceOf(field: keyof IssueText, theirs: Theirs): Choice {
    const own = mine[field] ?? '';
    // Where only one of the two has changed something, that one is meant.
    const isOnlyTheirs = mine.base?.[field] === own;
    return (
      chosen[field] ?? { side: isOnlyTheirs ? 'theirs' : 'mine', merged: mergedText(own, theirs[field]) }
    );
  }

  function save(theirs: Theirs, side?: 'mine') {
    const text: Partial<IssueText> = {};
    for (const field of differing) {
      const choice = choiceOf(field, theirs);
      const by = side ?? choice.side;
      text[field] = by === 'merged' ? choice.merged : by === 'theirs' ? theirs[field] : (mine[field] ?? '');
    }
    onSave({ ...text, version: theirs.version, base: { title: theirs.title, body: theirs.body } });
  }

  return (
    <dialog ref={dialog} className="dialog dialog-wide" onClose={onClose} aria-labelledby={heading}>
      <h2 id={heading}>Two versions of {id}</h2>
      {problem !== undefined && <Notice tone="warning">{problem} Both versions are needed to decide.</Notice>}
      {!theirs && problem === undefined && <Skeleton kind="comments" rows={4} />}
      {theirs && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save(theirs);
          }}
        >
          <p className="muted">
            Somebody else changed this issue <RelativeTime date={theirs.updatedAt} />, after you began. Choose
            what it should say.
          </p>
          {differing.map((field) => (
            <ConflictField
              key={field}
              name={field === 'title' ? 'Title' : 'Description'}
              mine={mine[field] ?? ''}
              theirs={theirs[field]}
              choice={choiceOf(field, theirs)}
              onChange={(choice) => {
                setChosen({ ...chosen, [field]: choice });
              }}
            />
          ))}
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onTheirs}>
              Keep theirs
            </button>
            <button
              type="button"
              className="button"
              onClick={() => {
                save(theirs, 'mine');
              }}
            >
              Keep mine
            </button>
            <button type="submit" className="button button-primary">
              Save as chosen
            </button>
          </div>
        </form>
      )}
      {!theirs && (
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Later
          </button>
        </div>
      )}
    </dialog>
  );
}
