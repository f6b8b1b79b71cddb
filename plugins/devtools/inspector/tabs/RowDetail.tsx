import { useState } from 'react';
import type { Controller, MountedRead, StoredRow } from 'holdfast';
import { DataSection } from '../data/DataSection.tsx';
import { Facts } from '../parts/Facts.tsx';
import { ago, clockTime } from '../parts/format.ts';
import { expiryText } from './Freshness.tsx';
import { Key } from '../parts/Key.tsx';
import { Readers } from '../parts/Readers.tsx';
import { RowEditor } from './RowEditor.tsx';
import { Tag } from '../parts/Tag.tsx';
import type { TabProps } from './TabProps.ts';
import { hasMembers, membersOf } from '../data/values.ts';

/** The maximum number of objects visited to find the reads that show a row: a few milliseconds. */
const MAX_OBJECTS = 20_000;

/** The details of one row, and the reads that show it. */
export function RowDetail({
  table,
  pk,
  row: { value, meta },
  inspected,
  view,
}: TabProps & { table: string; pk: string; row: StoredRow }) {
  const [isEditing, setEditing] = useState(false);
  const edits = inspected.plugin?.edits;
  const isEdited = view.past === undefined && edits?.has(table, pk) === true;
  const reads = readsShowing(inspected.controller, view.mounted.values(), table, pk);
  return (
    <article className="about">
      <h2>
        {table} <code className="key">{pk}</code> {isEdited && <Tag tone="invalid">edited here</Tag>}
      </h2>
      {edits !== undefined && value !== undefined && view.past === undefined && !isEditing && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => setEditing(true)}>
            Edit
          </button>
          {isEdited && (
            <button
              type="button"
              className="button"
              onClick={() => {
                edits.undo(table, pk);
                inspected.refresh();
              }}
            >
              Undo the edit
            </button>
          )}
        </div>
      )}
      <Facts
        facts={{
          Freshness: expiryText({ value: undefined, meta }, view.now),
          Received: `${clockTime(meta.receivedAt)}, ${ago(meta.receivedAt, view.now)}`,
        }}
      />
      {reads.length > 0 && (
        <section>
          <h3>On screen as part of</h3>
          <ul>
            {reads.map(({ key, readers }) => (
              <li key={key} className="reader">
                <Key text={key} /> <Readers count={readers} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {value === undefined ? (
        <p>It has been deleted.</p>
      ) : isEditing ? (
        <RowEditor
          value={value}
          onShow={(changed) => {
            edits?.show(inspected.controller, table, pk, changed);
            setEditing(false);
            inspected.refresh();
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <DataSection title="Fields: pks in place of entities" value={value} />
      )}
    </article>
  );
}

/** The mounted reads that contain a row, as far as they can be found without traversing everything. */
function readsShowing(
  controller: Controller,
  mounted: Iterable<MountedRead>,
  table: string,
  pk: string,
): readonly MountedRead[] {
  let left = MAX_OBJECTS;
  const isShownBy = ({ endpoint, args }: MountedRead): boolean => {
    const root: unknown = controller.getResponse(endpoint, ...args).data;
    const seen = new Set([root]);
    for (const value of seen) {
      if (left <= 0 || !hasMembers(value)) continue;
      left -= 1;
      if (isRow(value, table, pk)) return true;
      for (const [, member] of membersOf(value)) if (typeof member === 'object') seen.add(member);
    }
    return false;
  };
  return [...mounted].filter(isShownBy);
}

/** Identified by an entity's class. */
interface EntityLike {
  readonly key?: unknown;
  readonly pk?: (value: object) => string | undefined;
}

function isRow(value: object, table: string, pk: string): boolean {
  const entity = value.constructor as EntityLike | undefined; // of any class
  return entity?.key === table && entity.pk?.(value) === pk;
}
