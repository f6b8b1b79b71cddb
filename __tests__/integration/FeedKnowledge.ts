import { LISTS, PARAMS, type FeedSetting, type ListName } from './FeedPage.ts';
import type { Status } from './FeedServer.ts';

/** A change that a person has made, and the server has not answered. */
export interface Pending {
  readonly kind: 'create' | 'edit' | 'move' | 'remove';
  readonly tab: 0 | 1;
  readonly tag: string;
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly before: Status;
  readonly isFirst?: boolean;
}

/** What is known of a list: what must be in it, and what may be. */
interface KnownList {
  must: Set<string>;
  may: Set<string>;
  /** When the request began whose response it is from; -1 if only further pages have been received. */
  began: number;
  /** When a change of it was last answered. */
  changed: number;
  /** When a change was last answered of which is not known whether it has changed the list. */
  unclear?: number;
}

/** What the tabs must show, and what they may, by the responses that have arrived. */
export class FeedKnowledge {
  readonly #setting: FeedSetting;
  readonly #known = new Map<ListName, KnownList>();
  /** What has ever been in a list. */
  readonly #ever = new Map<ListName, Set<string>>(LISTS.map((list) => [list, new Set()]));
  /** When lists were invalidated that have not been received since. */
  readonly #invalidated = new Map<ListName, number>();
  /** Deleted by the app: by tag, when that was answered. */
  readonly #deleted = new Map<string, number>();
  /** Creates and moves that have been answered. */
  readonly #changes: {
    readonly tag: string;
    readonly at: number;
    readonly left: readonly ListName[];
    readonly entered: readonly ListName[];
  }[] = [];

  constructor(setting: FeedSetting) {
    this.#setting = setting;
  }

  /** A further page has arrived. */
  receivedPage(list: ListName, given: readonly string[], began: number): void {
    const tags = this.#received(list, given, began);
    const movedOut = (tag: string): boolean =>
      this.#changes.some((one) => one.tag === tag && one.at > began && one.left.includes(list));
    const stay = tags.filter((tag) => !movedOut(tag));
    const known = this.#known.get(list);
    if (known !== undefined) {
      for (const set of [known.must, known.may]) for (const tag of stay) set.add(tag);
      return;
    }
    const created = this.#changes.filter(({ at, entered }) => at > began && entered.includes(list));
    this.#known.set(list, {
      must: new Set(stay),
      may: new Set([...stay, ...created.map(({ tag }) => tag)]),
      began: -1,
      changed: -1,
    });
  }

  /**
   * The first page has arrived, which replaces the list.
   *
   * @param isMissing - whether the tab did not have the list
   */
  receivedList(list: ListName, given: readonly string[], began: number, isMissing: boolean): void {
    const tags = this.#received(list, given, began);
    const known = this.#known.get(list);
    if (known !== undefined && known.began > began) return;
    const invalidated = this.#invalidated.get(list);
    if (invalidated !== undefined && began <= invalidated) {
      // It is not shown, but a later page may be added to it.
      const may = new Set([...(known?.may ?? []), ...tags]);
      this.#known.set(list, { began, changed: -1, ...known, may, must: new Set(), unclear: Infinity });
      return;
    }
    this.#invalidated.delete(list);
    const isOvertaken = known !== undefined && known.changed > began;
    // A tab that does not have the list takes the response, with what has changed since.
    const isAbsent = known === undefined || isMissing;
    const isUnclear = (known?.unclear ?? -1) > began || (isOvertaken && isAbsent);
    if (isOvertaken && !isUnclear) return;
    const members = new Set(tags);
    let changed = -1;
    // The server may have answered before it knew of a change.
    for (const { tag, at, left, entered } of this.#changes) {
      if (!isAbsent || at <= began || this.#isDeleted(tag, began)) continue;
      if (entered.includes(list) && !members.has(tag)) members.add(tag);
      else if (!left.includes(list) || !members.delete(tag)) continue;
      changed = at;
    }
    const may = new Set(members);
    // Without a disk, the item itself may have been dropped.
    if (!this.#setting.withDisk) for (const tag of members) if (!tags.includes(tag)) members.delete(tag);
    if (isUnclear) {
      changed = Math.max(changed, known!.changed);
      for (const tag of known!.may) may.add(tag);
      for (const tag of members) if (!known!.must.has(tag)) members.delete(tag);
    }
    this.#known.set(list, {
      must: members,
      may,
      began,
      changed,
      unclear: isUnclear ? changed : -1,
    });
  }

  /** Without what has been deleted since the request. */
  #received(list: ListName, given: readonly string[], began: number): readonly string[] {
    const tags = given.filter((tag) => !this.#isDeleted(tag, began));
    for (const tag of tags) this.#ever.get(list)?.add(tag);
    return tags;
  }

  #isDeleted(tag: string, since: number): boolean {
    return (this.#deleted.get(tag) ?? -1) > since;
  }

  /** The server has executed a change. */
  confirmed({ kind, tag, status, before }: Pending, now: number): void {
    if (kind === 'remove') {
      this.#deleted.set(tag, now);
      for (const { must, may } of this.#known.values()) {
        must.delete(tag);
        may.delete(tag);
      }
    }
    if (kind !== 'create' && kind !== 'move') return;
    const entered = LISTS.filter((list) => matches(list, status));
    const left = LISTS.filter((list) => kind === 'move' && matches(list, before) && !entered.includes(list));
    this.#changes.push({ tag, at: now, left, entered });
    for (const list of entered) this.#ever.get(list)?.add(tag);
    for (const [list, known] of this.#known) {
      if (entered.includes(list)) {
        if (known.must.has(tag)) {
          // Whether that counts as a change depends on whether the list has been read.
          known.unclear = Math.max(now, known.unclear ?? 0);
          continue;
        }
        if (known.unclear === Infinity) {
          known.may.add(tag);
          continue;
        }
        known.must.add(tag);
        if (known.may.has(tag)) {
          known.unclear = now;
          continue;
        }
        known.may.add(tag);
      } else if (left.includes(list)) {
        const isKnown = known.must.delete(tag);
        known.may.delete(tag);
        if (!isKnown) {
          known.unclear = Math.max(now, known.unclear ?? 0);
          continue;
        }
      } else continue;
      known.changed = now;
    }
  }

  invalidated(list: ListName, now: number): void {
    this.#invalidated.set(list, now);
  }

  isInvalidated(list: ListName): boolean {
    return this.#invalidated.has(list);
  }

  /** No tab has kept anything. */
  forget(): void {
    this.#known.clear();
  }

  /** Nobody shows this list, and no disk has it. */
  mayBeGone(list: ListName): void {
    const known = this.#known.get(list);
    if (known === undefined) return;
    known.must.clear();
    known.unclear = Infinity;
  }

  /** What must be in a list, and what may be, apart from pending changes. */
  of(list: ListName): { readonly must: Set<string>; readonly may: Set<string> } {
    const { must, may } = this.#known.get(list) ?? {};
    // If two tabs change one list at the same time, the later change decides until it is fetched again.
    return { must: new Set(must), may: new Set(this.#setting.tabs === 1 ? may : this.#ever.get(list)) };
  }
}

/** Whether a list shows items of this status. */
export function matches(list: ListName, status: Status): boolean {
  return (PARAMS[list].status ?? status) === status;
}
