/**
 * Stands for a value that cannot be denormalized: absent, deleted, invalid, or lacking a required part. Never stored.
 */
export const MISSING: unique symbol = Symbol('missing');

/** The type of `MISSING`. */
export type Missing = typeof MISSING;
