import { HoldfastError } from '../../util/errors.ts';
import { describeIssue, type StandardSchema } from '../../util/standardSchema.ts';

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
