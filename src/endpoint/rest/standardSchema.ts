import { HoldfastError } from '../../util/errors.ts';

/**
 * A schema of Zod, Valibot, ArkType or any other library that implements Standard Schema
 * (https://standardschema.dev): the part of it that checks a value.
 *
 * @typeParam Output - what the schema makes of a valid value
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
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
  const [issue] = result.issues;
  const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)) ?? [];
  throw new HoldfastError(
    'HF_SHAPE',
    `The response of ${name} is not valid at ${path.length > 0 ? path.join('.') : 'the top level'}: ${String(issue?.message)}; correct the schema or the server`,
    { cause: result.issues },
  );
}
