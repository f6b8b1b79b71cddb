import { NetworkError, type Plugin } from 'holdfast';

interface ServerError {
  message?: string;
  fields?: Record<string, string>;
}

/** What the server said no with, in its own words: those are what a person is shown, also days later in the outbox. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** Its body has not been read. */
  readonly response: Response;
  /** What is wrong with which field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(response: Response, { message, fields = {} }: ServerError, cause: unknown) {
    const named = Object.entries(fields).map(([field, problem]) => sentence(field, problem));
    super(named.length > 0 ? named.join(' ') : (message ?? `The server answered ${response.status}.`), {
      cause,
    });
    this.status = response.status;
    this.response = response;
    this.fields = fields;
  }
}

/** “Title must not be longer than 200 characters.” Other problems are whole sentences. */
function sentence(field: string, problem: string): string {
  if (!/^(Must|Is) /.test(problem)) return problem;
  return `${field.charAt(0).toUpperCase()}${field.slice(1)} ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`;
}

/** Gives errors the words that the server sent with them. */
export const serverWords: Plugin = {
  name: 'server-words',
  async request(request, next) {
    try {
      return await next(request);
    } catch (error) {
      // The page of a captive portal has no words of the server.
      if (!(error instanceof NetworkError) || !error.isFromApi || error.response === undefined) throw error;
      throw new RefusedError(error.response, await wordsOf(error.response), error);
    }
  },
};

async function wordsOf(response: Response): Promise<ServerError> {
  try {
    // The shape is our own server's; what lacks it reads as undefined.
    const body = (await response.clone().json()) as { error?: ServerError };
    return body.error ?? {};
  } catch {
    return {};
  }
}
