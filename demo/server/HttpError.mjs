/** An answer that a handler gives by throwing. */
export class HttpError extends Error {
  /**
   * @param {number} status
   * @param {string} message for a person
   * @param {{ fields?: Record<string, string>, headers?: Record<string, string>, current?: unknown }} [details]
   *   `fields`: what is wrong with which field; `current`: the record as it is now, for a conflict
   */
  constructor(status, message, { fields, headers, current } = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.headers = headers;
    this.current = current;
  }

  get body() {
    return {
      error: {
        status: this.status,
        message: this.message,
        ...(this.fields && { fields: this.fields }),
        ...(this.current !== undefined && { current: this.current }),
      },
    };
  }
}

/**
 * @param {string} what
 * @param {string} id
 */
export function notFound(what, id) {
  return new HttpError(404, `There is no ${what} “${id}”.`);
}
