import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { classPlan } from '../schema/classPlan.ts';
import { isEntity, isSchemaObject } from '../schema/isEntity.ts';
import type { FoundEntity, Normalized } from '../schema/normalize.ts';
import type { Schema } from '../schema/Schema.ts';
import { toPk } from '../schema/pk.ts';
import { describe } from '../util/errors.ts';
import { warnOnce } from '../util/warnOnce.ts';

/**
 * In development, warns of a read whose response has nothing of what its schema names: a list that is called `data`
 * where the schema has `users`, or records whose fields are spelled another way.
 *
 * @param owner - who is told once
 */
export function checkMatch(
  owner: object,
  { name, schema, sideEffect }: EndpointInterface,
  response: unknown,
  { entities }: Normalized,
): void {
  // A mutation may answer with little.
  if (sideEffect === true) return;
  const problem = isEntity(schema)
    ? strangeRow(entities.get(schema.key)?.values().next().value)
    : strangeObject(schema, response);
  if (problem !== undefined)
    warnOnce(
      owner,
      'HF_NOTHING_MATCHES',
      `The response of ${name} has nothing of what its schema names, so it cannot be what was meant: ${problem}; compare the two`,
      name,
    );
}

function strangeObject(schema: Schema, response: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || isSchemaObject(schema))
    return undefined;
  if (typeof response !== 'object' || response === null) return undefined;
  const named = Object.keys(schema);
  if (named.length === 0 || Object.keys(response).length === 0) return undefined;
  if (named.some((member) => member in response)) return undefined;
  return `it is ${describe(response)} where there should be ${named.join(', ')}`;
}

/** Apart from what the pk is made of, which it must have to be stored at all. */
function strangeRow(found: FoundEntity | undefined): string | undefined {
  if (found?.value === undefined) return undefined;
  const { entity, pk, value } = found;
  const declared = Object.keys(classPlan(entity).defaults);
  const has = new Set(Object.keys(value));
  const isPk = (field: string): boolean => {
    const part = (value as Record<string, unknown>)[field]; // a row
    // Of anything else, such as deeply nested lists, text may be more than the stack can take.
    return (typeof part === 'string' || typeof part === 'number') && toPk(part) === pk;
  };
  const others = declared.filter((field) => !(has.has(field) && isPk(field)));
  // Without other fields than the pk, on either side, there is nothing to compare.
  const isBare = others.length === 0 || ![...has].some((field) => !declared.includes(field));
  if (isBare || others.some((field) => has.has(field))) return undefined;
  return `it is ${describe(value)} where ${entity.name} has ${others.join(', ')}`;
}
