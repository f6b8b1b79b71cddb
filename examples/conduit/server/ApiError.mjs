/** An answer of the API that is an error: `{ "errors": { "field": ["message"] } }`. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Record<string, readonly string[]>} errors
   */
  constructor(status, errors) {
    super(JSON.stringify(errors));
    this.status = status;
    this.errors = errors;
  }
}

/** @param {string} what */
export const notFound = (what) => new ApiError(404, { [what]: ['not found'] });

/** @param {string} what */
export const forbidden = (what) => new ApiError(403, { [what]: ['forbidden'] });
