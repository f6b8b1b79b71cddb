import { currentSession } from './session.ts';

/** The profile of the person who is signed in, as the API will answer it. */
export function currentAuthor(): { username: string; bio: string | null; image: string | null } {
  const { username = '', bio = null, image = null } = currentSession() ?? {};
  return { username, bio, image };
}
