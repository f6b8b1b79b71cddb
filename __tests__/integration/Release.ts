import type { Codec, Migrate } from 'holdfast/indexeddb';

/** What one release of the app says of its data. */
export interface Release {
  /** Of storage and tabs. */
  readonly version: number;
  /** What `migrate` does with rows of earlier versions; undefined where there is none. */
  readonly migrate: 'converts' | 'drops' | 'throws' | undefined;
  /** What the text of a note is called. */
  readonly field: 'text' | 'title';
  /** Whether notes have a date, and so a converter. */
  readonly hasDate: boolean;
  readonly table: 'Note' | 'Memo';
  readonly pk: 'id' | 'slug';
  readonly path: '/notes' | '/v2/notes';
  /** The name of the resource, which is part of the names of its endpoints. */
  readonly resource: 'Notes' | 'Memos';
  /** What the list responds, and its schema. */
  readonly list: 'collection' | 'array' | 'page';
  readonly isOptimistic: boolean;
  /** Whether its tabs talk with those of all versions. */
  readonly talksWithAll: boolean;
  readonly isScoped: boolean;
  readonly codec: 'first' | 'second' | undefined;
  readonly maxRows: number;
  /** Whether the app has no notes any more. */
  readonly isWithoutNotes: boolean;
}

const FIRST_RELEASE: Release = {
  version: 0,
  migrate: undefined,
  field: 'text',
  hasDate: false,
  table: 'Note',
  pk: 'id',
  path: '/notes',
  resource: 'Notes',
  list: 'collection',
  isOptimistic: true,
  talksWithAll: false,
  isScoped: false,
  codec: undefined,
  maxRows: Infinity,
  isWithoutNotes: false,
};

/** What a deployment may change. */
const CHANGES = {
  'version raised': ({ version }) => ({ version: version + 1, migrate: undefined }),
  'field renamed': () => ({ field: 'title' }),
  'field renamed by migrate': ({ version }) => ({
    field: 'title',
    version: version + 1,
    migrate: 'converts',
  }),
  'rows dropped by migrate': ({ version }) => ({ field: 'title', version: version + 1, migrate: 'drops' }),
  'migrate that throws': ({ version }) => ({ field: 'title', version: version + 1, migrate: 'throws' }),
  'field added': () => ({ hasDate: true }),
  'table renamed': () => ({ table: 'Memo' }),
  'other pk': ({ version }) => ({ pk: 'slug', version: version + 1, migrate: 'drops' }),
  'other path': () => ({ path: '/v2/notes' }),
  'resource renamed': () => ({ resource: 'Memos' }),
  'list of another schema': ({ list }) => ({ list: list === 'array' ? 'page' : 'array' }),
  'optimistic, or no longer': ({ isOptimistic }) => ({ isOptimistic: !isOptimistic }),
  'tabs without version': () => ({ talksWithAll: true }),
  'scope added': () => ({ isScoped: true }),
  'codec added or exchanged': ({ codec }) => ({ codec: codec === undefined ? 'first' : 'second' }),
  'rows limited': () => ({ maxRows: 4 }),
  'resource removed': () => ({ isWithoutNotes: true }),
} satisfies Record<string, (before: Release) => Partial<Release>>;

export type Change = keyof typeof CHANGES;

export const ALL_CHANGES = Object.keys(CHANGES) as Change[]; // the keys of the object above

/** The releases, each with what it changes; the first one with how it differs from `FIRST_RELEASE`. */
export function releasesOf(deployments: readonly (readonly Change[])[]): readonly Release[] {
  const releases: Release[] = [];
  for (const changes of deployments) {
    let release = releases.at(-1) ?? FIRST_RELEASE;
    for (const change of changes) release = { ...release, ...CHANGES[change](release) };
    releases.push(release);
  }
  return releases;
}

/** The functions that migrate to a release. */
export function migrateTo({ migrate, field }: Release): Readonly<Record<string, Migrate>> | undefined {
  if (migrate === undefined) return undefined;
  const change: Migrate = ({ text, title, ...row }) => {
    if (migrate === 'throws') throw new Error('This release cannot read earlier rows');
    return migrate === 'drops' ? undefined : { ...row, [field]: title ?? text };
  };
  return { Note: change, Memo: change };
}

/** Whether all rows that this release may show have its own fields. */
export function hasOwnFields(release: Release, all: readonly Release[]): boolean {
  return all.every(
    ({ field, version }) =>
      field === release.field ||
      (!release.talksWithAll &&
        (version > release.version || (version < release.version && release.migrate !== undefined))),
  );
}

/** Encodes text, and decodes only what it has encoded itself. */
export function codecOf({ codec }: Pick<Release, 'codec'>): Codec | undefined {
  if (codec === undefined) return undefined;
  const prefix = `${codec}:`;
  return {
    encode: (text) => new TextEncoder().encode(prefix + text),
    decode(bytes) {
      const text = new TextDecoder().decode(bytes);
      if (!text.startsWith(prefix)) throw new Error('Encoded by another codec');
      return text.slice(prefix.length);
    },
  };
}
