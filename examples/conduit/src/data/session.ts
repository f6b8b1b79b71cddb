/** Who is signed in on this device. */
export interface Session {
  /** Names this person's data on the device. It stays when the username changes. */
  readonly scope: string;
  readonly username: string;
  readonly email: string;
  readonly bio: string | null;
  readonly image: string | null;
  readonly token: string;
}

/** The answer of every route about the account. */
export type Account = Omit<Session, 'scope'>;

interface Kept {
  readonly session: Session | null;
  /** The scope of everyone who has been signed in on this device, by username. */
  readonly scopes: Readonly<Record<string, string>>;
}

const key = 'conduit';
const nobody: Kept = { session: null, scopes: {} };
const storage = typeof localStorage === 'undefined' ? undefined : localStorage;
const listeners = new Set<() => void>();
let kept = read();
/** The token that the server does not accept any more. */
let expired: string | undefined;

function read(): Kept {
  return (JSON.parse(storage?.getItem(key) ?? 'null') as Kept | null) ?? nobody; // written by `change`
}

function tell(): void {
  for (const listener of listeners) listener();
}

function change(next: Kept): void {
  kept = next;
  storage?.setItem(key, JSON.stringify(next));
  tell();
}

// Another tab has signed a user in or out.
if (storage !== undefined)
  addEventListener('storage', (event) => {
    if (event.key !== key) return;
    kept = read();
    tell();
  });

export const currentSession = (): Session | null => kept.session;

/** Names the data of the signed-in user. */
export const currentScope = (): string => kept.session?.scope ?? 'guest';

/** Whether the signed-in user has to sign in again. */
export const isExpired = (): boolean => kept.session !== null && kept.session.token === expired;

/** The server has refused a token. */
export function expire(token: string | undefined): void {
  expired = token;
  tell();
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Signs a user in, or takes over what has changed about the account that is signed in. */
export function enter(account: Account): void {
  const { username } = account;
  const scope = kept.scopes[username] ?? crypto.randomUUID();
  change({ session: { ...account, scope }, scopes: { ...kept.scopes, [username]: scope } });
}

/** The same person, by another name say. */
export function refresh(account: Account): void {
  const { session, scopes } = kept;
  if (session === null) return;
  const { [session.username]: _former, ...others } = scopes;
  change({
    session: { ...account, scope: session.scope },
    scopes: { ...others, [account.username]: session.scope },
  });
}

/** Signs out. What this person has on the device stays under its scope. */
export function leave(): void {
  change({ ...kept, session: null });
}
