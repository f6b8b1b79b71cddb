interface Issue {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly project: string;
  readonly updatedAt: string;
}

/** What is on the demo's server. */
export interface OnServer {
  readonly issues: readonly Issue[];
  /** All comments, by the id of their issue. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
}

export async function readServer(url: string): Promise<OnServer> {
  const response = await fetch(`${url}/changes`);
  const { issues } = (await response.json()) as { readonly issues: readonly Issue[] }; // by its API
  const comments = new Map<string, readonly string[]>();
  for (const { id, project } of issues) {
    if (project !== 'HAR' && project !== 'KEL') continue;
    const list = await fetch(`${url}/issues/${id}/comments`);
    const bodies = (await list.json()) as readonly { readonly body: string }[]; // by its API
    comments.set(
      id,
      bodies.map(({ body }) => body),
    );
  }
  return { issues, comments };
}

/** How the list of a project begins, the newest change first. */
export function firstIssues({ issues }: OnServer, project: string): readonly string[] {
  const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  return issues
    .filter((issue) => issue.project === project)
    .sort((left, right) => compare(right.updatedAt, left.updatedAt) || compare(left.id, right.id))
    .slice(0, 25)
    .map(({ id, title }) => `${id} ${title}`);
}

interface Titled {
  /** Undefined if nobody knows whether the last change of it has worked. */
  readonly title: string | undefined;
  /** Who has changed it so far. */
  readonly by: ReadonlySet<unknown>;
}

/** What people have done in the demo. Each text is used once, so that it can be found. */
export class Ledger {
  /** All texts, also those that a person perhaps failed to enter. */
  readonly #texts: string[] = [];
  /** Those that a page has shown as a comment or an issue. */
  readonly #entered: string[] = [];
  /** By the id of the issue. */
  readonly #titles = new Map<string, Titled>();
  /** What the pages of deleted issues showed. */
  readonly #deleted: string[] = [];

  /** A text that is not used anywhere else. */
  newText(what: string): string {
    const text = `${what} no. ${this.#texts.length}.`;
    this.#texts.push(text);
    return text;
  }

  /** A comment was written, or an issue created. */
  entered(text: string): void {
    this.#entered.push(text);
  }

  /**
   * The title of an issue is changed.
   *
   * @param by - the device
   * @param title - once it is shown
   */
  titled(id: string, by: unknown, title?: string): void {
    this.#titles.set(id, { title, by: new Set([...(this.#titles.get(id)?.by ?? []), by]) });
  }

  /** @param shown - the text of its page */
  deleted(shown: string): void {
    this.#deleted.push(shown);
  }

  /**
   * What was lost, or carried out twice.
   *
   * @param reported - the text of what waits for a person
   */
  faults({ issues, comments }: OnServer, reported: string): readonly string[] {
    const isExcused = (text: string): boolean =>
      [reported, ...this.#deleted].some((shown) => shown.includes(text));
    const stored = [...issues.map(({ body }) => body), ...[...comments.values()].flat()];
    const lastTitle = ([id, { title, by }]: readonly [string, Titled]): readonly string[] => {
      const issue = issues.find((each) => each.id === id);
      const isMeant = issue === undefined || title === undefined || issue.title === title;
      return isMeant || by.size > 1 || isExcused(title)
        ? []
        : [`${id} is called ${issue.title}, not ${title}`];
    };
    return [
      ...this.#entered
        .filter((text) => !stored.includes(text) && !isExcused(text))
        .map((text) => `${text} is lost`),
      ...this.#texts
        .filter((text) => stored.indexOf(text) !== stored.lastIndexOf(text))
        .map((text) => `${text} is there twice`),
      ...[...this.#titles].flatMap(lastTitle),
    ];
  }
}
