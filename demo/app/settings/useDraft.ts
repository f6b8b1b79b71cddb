import { useCallback, useState } from 'react';
import { useSession } from '../session/SessionContext.ts';
import { writeStored } from './stored.ts';

export interface Draft<T> {
  value: T;
  /** Whether it was typed in an earlier visit to this form. */
  restored: boolean;
  change(part: Partial<T>): void;
  discard(): void;
}

/**
 * What a person types into a form: kept on this device until it is saved or discarded, so that nothing typed is lost.
 * Other people do not see it.
 */
export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
  const { person } = useSession();
  const key = `mooring.draft.${person.id}.${name}`;
  const [{ value, restored }, setState] = useState(() => {
    const stored = readDraft<T>(key);
    return { value: { ...initial, ...stored }, restored: stored !== undefined };
  });
  const change = useCallback(
    (part: Partial<T>) => {
      setState((state) => {
        const next = { ...state.value, ...part };
        writeStored(key, JSON.stringify(next));
        return { ...state, value: next };
      });
    },
    [key],
  );
  const discard = useCallback(() => {
    writeStored(key, null);
    setState({ value: initial, restored: false });
    // The initial value of the form that is open; a later one belongs to the next form.
  }, [key, initial]);
  return { value, restored, change, discard };
}

function readDraft<T>(key: string): Partial<T> | undefined {
  try {
    const text = localStorage.getItem(key);
    // Written only above, from a value of this type.
    return text === null ? undefined : (JSON.parse(text) as Partial<T>);
  } catch {
    return undefined;
  }
}
