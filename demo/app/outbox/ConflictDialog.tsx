import { useController } from 'holdfast/react';
import { useEffect, useState } from 'react';
import { describeError } from '../data/describeError.ts';
import type { IssueChanges, IssueText } from '../model/Issue.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { Dialog } from '../ui/Dialog.tsx';
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

/** Two people have changed one text: shows both versions, and lets a person take either, or combine them. */
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
  /** Called with the chosen text, as a change of the server's version. */
  onSave: (changes: Required<Pick<IssueChanges, 'version' | 'base'>> & Partial<IssueText>) => void;
  /** Called if the server's version stays as it is. */
  onTheirs: () => void;
  onClose: () => void;
}) {
  const controller = useController();
  const [theirs, setTheirs] = useState(known);
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<Partial<Record<keyof IssueText, Choice>>>({});

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
    // If only one of the two has changed this text, that version is the default.
    const isOnlyTheirs = mine.base?.[field] === own;
    return (
      chosen[field] ?? { side: isOnlyTheirs ? 'theirs' : 'mine', merged: mergedText(own, theirs[field]) }
    );
  }

  function save(theirs: Theirs) {
    const text: Partial<IssueText> = {};
    for (const field of differing) {
      const { side, merged } = choiceOf(field, theirs);
      text[field] = { mine: mine[field] ?? '', theirs: theirs[field], merged }[side];
    }
    if (differing.every((field) => text[field] === theirs[field])) onTheirs();
    else onSave({ ...text, version: theirs.version, base: { title: theirs.title, body: theirs.body } });
  }

  return (
    <Dialog title={`Two versions of ${id}`} kind="dialog-wide" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (theirs) save(theirs);
        }}
      >
        {problem !== undefined && <Notice tone="warning">{problem} Both versions are needed.</Notice>}
        {!theirs && problem === undefined && <Skeleton kind="comments" rows={4} />}
        {theirs && (
          <>
            <p className="muted">
              Somebody else changed this issue <RelativeTime date={theirs.updatedAt} />, after you started
              editing. Choose what to keep.
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
          </>
        )}
        <div className="dialog-actions dialog-actions-sticky">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          {theirs && (
            <button type="submit" className="button button-primary">
              Save
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
