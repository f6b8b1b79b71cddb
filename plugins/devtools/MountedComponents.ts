import { SetMap } from '../shared/SetMap.ts';

/** The components that show each read: where they called their hooks, by the key of the read. */
export class MountedComponents {
  readonly #byKey = new SetMap<string, Error>();

  /** @returns a function to call when the component shows the read no more */
  add(key: string, at: Error): () => void {
    this.#byKey.add(key, at);
    return () => this.#byKey.delete(key, at);
  }

  /** Name → number of mounted components with it, most first. Without those that have no name. */
  namesOf(key: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const at of this.#byKey.get(key)) {
      const name = componentIn(at.stack);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return new Map([...counts].sort(([, a], [, b]) => b - a));
  }
}

/** A line of a stack: `at Name (…)` in V8, `Name@…` in Firefox and Safari. */
const FRAME = /^\s*(?:at )?([\w$.]+)(?: \[as [^\]]+\])?(?: \(|@)/;

/** React's own function that calls components. */
const CALLER = new Set(['react_stack_bottom_frame', 'renderWithHooks']);

/** The innermost function whose name begins like a component's: hooks and React's own functions have small letters. */
function componentIn(stack = ''): string | undefined {
  for (const line of stack.split('\n')) {
    const name = FRAME.exec(line)?.[1]?.split('.').at(-1);
    if (name === undefined) continue;
    if (CALLER.has(name)) return undefined;
    if (/^[A-Z]/.test(name)) return name;
  }
  return undefined;
}
