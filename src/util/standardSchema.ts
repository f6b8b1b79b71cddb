import { HoldfastError } from './errors.ts';

/**
 * A schema of Zod, Valibot, ArkType or any other library that implements Standard Schema
 * (https://standardschema.dev): the part of it that checks a value.
 *
 * @typeParam Output - what the schema makes of a valid value
 * @typeParam Input - the values that are valid
 */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Never set: carries the types for inference. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Where the value is wrong, as keys from the outside in. */
export function pathOf({ path = [] }: StandardIssue): PropertyKey[] {
  return path.map((part) => (typeof part === 'object' ? part.key : part));
}

/** Where the value is wrong, and why, for a sentence: `author.name: Expected string`. */
export function describeIssue(issue: StandardIssue): string {
  const path = pathOf(issue).map(String);
  return `${path.length > 0 ? path.join('.') : 'the top level'}: ${issue.message}`;
}

/**
 * What a schema makes of a response.
 *
 * @param name - of the endpoint
 * @throws HoldfastError `HF_SHAPE` with the path of the first wrong value; its `cause` has all issues
 */
export async function checkResponse(schema: StandardSchema, value: unknown, name: string): Promise<unknown> {
  const result = await schema['~standard'].validate(value);
  if (!result.issues) return result.value;
  const [issue = { message: 'no reason given' }] = result.issues;
  throw new HoldfastError(
    'HF_SHAPE',
    `The response of ${name} is not valid at ${describeIssue(issue)}; correct the schema or the server`,
    { cause: result.issues },
  );
}
