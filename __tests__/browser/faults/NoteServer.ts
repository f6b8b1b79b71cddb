import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** A server that stores notes while it is up, and drops the connection while it is not. */
export class NoteServer {
  isUp = false;
  /** The texts of the notes that it has stored. */
  received: string[] = [];

  readonly respond = (request: IncomingMessage, response: ServerResponse): void => {
    if (!this.isUp) {
      request.socket.destroy();
      return;
    }
    void json(request).then((body) => {
      const note = body as { readonly text: string }; // as the page sends it
      this.received.push(note.text);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...note, id: `server-${this.received.length}` }));
    });
  };

  /** It goes down, and forgets the notes. */
  reset(): void {
    this.isUp = false;
    this.received = [];
  }
}
