import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { classPlan } from '../../schema/entity/classPlan.ts';
import { isEntity, isObjectSchema, isSchemaObject } from '../../schema/isEntity.ts';
import type { NormalizedEntity, Normalized } from '../../schema/Normalized.ts';
import type { Schema } from '../../schema/Schema.ts';
import { toPk } from '../../schema/entity/pk.ts';
import { describe } from '../../util/errors.ts';
import { warnOnce } from '../../util/warnOnce.ts';

/**
 * In development, warns of a response without any field of its schema: a list under `data` where the schema has
 * `users`, or records whose fields have other names.
 *
 * @param owner - receives the warning once
 */
export function checkMatch(
  owner: object,
  { name, schema, sideEffect }: EndpointInterface,
  response: unknown,
  { entities }: Normalized,
): void {
  // The response of a mutation may be minimal.
  if (sideEffect === true) return;
  const member = memberOf(schema);
  const problem = isEntity(member)
    ? rowsMismatch(entities.get(member.key)?.values() ?? [])
    : objectMismatch(schema, response);
  if (problem !== undefined)
    warnOnce(
      owner,
      'HF_NOTHING_MATCHES',
      `The response of ${name} has no field of its schema, so the two do not match: ${problem}; compare the two`,
      name,
    );
}

/** The schema of the members of a list or map; any other schema itself. */
function memberOf(schema: Schema): Schema {
  if (Array.isArray(schema)) return memberOf((schema as readonly Schema[])[0]);
  return isSchemaObject(schema) && 'schema' in schema ? memberOf(schema.schema as Schema) : schema; // as in Collection
}

function objectMismatch(schema: Schema, response: unknown): string | undefined {
  if (!isObjectSchema(schema)) return undefined;
  if (typeof response !== 'object' || response === null) return undefined;
  const named = Object.keys(schema);
  if (named.length === 0 || Object.keys(response).length === 0) return undefined;
  if (named.some((member) => member in response)) return undefined;
  return `it is ${describe(response)} where there should be ${named.join(', ')}`;
}

/** What is wrong with the first record if none matches: another may have just the fields that the first one lacks. */
function rowsMismatch(rows: Iterable<NormalizedEntity>): string | undefined {
  let problem: string | undefined;
  for (const row of rows) {
    const found = rowMismatch(row);
    if (found === undefined) return undefined;
    problem ??= found;
  }
  return problem;
}

/** Fields other than those of the pk, which every stored record has. */
function rowMismatch(found: NormalizedEntity): string | undefined {
  if (found.value === undefined) return undefined;
  const { entity, pk, value } = found;
  const declared = Object.keys(classPlan(entity).defaults);
  const has = new Set(Object.keys(value));
  const isPk = (field: string): boolean => {
    const part = value[field];
    // Converting anything else to text, such as deeply nested lists, may overflow the stack.
    return (typeof part === 'string' || typeof part === 'number') && toPk(part) === pk;
  };
  const others = declared.filter((field) => !(has.has(field) && isPk(field)));
  // If there are only pk fields on either side, there is nothing to compare.
  const isBare = others.length === 0 || ![...has].some((field) => !declared.includes(field));
  if (isBare || others.some((field) => has.has(field))) return undefined;
  return `it is ${describe(value)} where ${entity.name} has ${others.join(', ')}`;
}
