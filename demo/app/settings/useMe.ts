import { useStored } from './stored.ts';

/** The person in whose name this device writes. The demo has no sign-in: pick any person in the sidebar. */
export function useMe(): [string, (person: string | null) => void] {
  return useStored('me', 'mira-lindqvist');
}
