import { HoldfastError } from '../../util/errors.ts';
import { describeIssue, pathOf, type StandardIssue, type StandardSchema } from '../../util/standardSchema.ts';
import type { EntityValue, Invalidity } from '../Meta.ts';
import type { Denormalize, EntityClass, Schema } from '../Schema.ts';
import type { Entity } from './Entity.ts';
import { EntityMixin, type EntityMixinOptions } from './EntityMixin.ts';

/** What a schema of a library accepts: its input type. */
type InputOf<S extends StandardSchema> =
  NonNullable<S['~standard']['types']> extends { readonly input: infer Input } ? Input : never;

/** What is read from a field with a schema: an entity may be missing. */
type Related<S> = S extends EntityClass ? Denormalize<S> | undefined : Denormalize<S>;

/** The fields of an entity: those of its schema, with relations and conversions in place. */
export type FieldsOf<S extends StandardSchema, R> = {
  readonly [K in keyof InputOf<S>]: K extends keyof R
    ? Related<R[K]> | Extract<InputOf<S>[K], null | undefined>
    : InputOf<S>[K];
};

/** The options of `EntityFromSchema`. */
export interface EntityFromSchemaOptions<T, R> extends Omit<EntityMixinOptions<T>, 'schema'> {
  /** Field name → schema of that field, as in any entity. Such a field is checked by its own schema alone. */
  readonly schema?: R;
}

/**
 * An entity whose fields and types come from a schema of Zod, Valibot, ArkType or any other library that implements
 * Standard Schema (https://standardschema.dev).
 *
 * A value that the schema does not accept is rejected with `HF_SHAPE` and the path of the wrong value; a value that
 * lacks fields is stored, and its row reads as missing until the fields have arrived. Rows from disk and from other
 * tabs are checked when they are read. The schema converts nothing: rows hold what the server sent. To convert a
 * field, give it a schema (`schema: { createdAt: Date }`).
 *
 * @param shape - checks synchronously, and accepts an object
 * @throws HoldfastError when a value is stored: `HF_SHAPE`; `HF_PROCESS` if `shape` checks asynchronously
 *
 * @example
 * import { z } from 'zod';
 *
 * const ArticleShape = z.object({
 *   id: z.string(),
 *   title: z.string(),
 *   author: z.object({ id: z.string() }),
 * });
 * class Article extends EntityFromSchema(ArticleShape, {
 *   key: 'Article',
 *   schema: { author: User },
 * }) {}
 */
export function EntityFromSchema<
  S extends StandardSchema,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- without the option, no field has a schema
  const R extends Readonly<Record<string, Schema>> = Record<never, Schema>,
>(
  shape: S,
  options: EntityFromSchemaOptions<FieldsOf<S, R>, R> = {},
): EntityClass<FieldsOf<S, R> & Pick<Entity, 'pk'>> {
  /** What is wrong with a value, apart from fields that `isChecked` excludes. */
  function issuesOf(
    entity: EntityClass,
    value: unknown,
    isChecked: (field: PropertyKey) => boolean,
  ): readonly StandardIssue[] {
    const result = shape['~standard'].validate(value);
    if (result instanceof Promise) {
      throw new HoldfastError(
        'HF_PROCESS',
        `${entity.name} has a schema that checks asynchronously, and an entity cannot wait; use the option \`response\` of the endpoint for it`,
      );
    }
    return (result.issues ?? []).filter((issue) => {
      const [field] = pathOf(issue);
      return field === undefined || (!Object.hasOwn(entity.schema, field) && isChecked(field));
    });
  }

  class Checked {
    static process(this: EntityClass, input: object): object {
      const issues = issuesOf(this, input, (field) => Object.hasOwn(input, field));
      const [issue] = issues;
      if (issue === undefined) return { ...input };
      throw new HoldfastError(
        'HF_SHAPE',
        `A value of ${this.name} is not valid at ${describeIssue(issue)}; correct the schema or the server`,
        { cause: issues },
      );
    }

    static validate(this: EntityClass, row: EntityValue): Invalidity {
      const [issue] = issuesOf(this, row, () => true);
      return issue && describeIssue(issue);
    }
  }
  // Without declared fields, only this says that there is an `id`.
  const mixed: unknown = EntityMixin(Checked, { pk: 'id', ...options } as EntityMixinOptions<object>);
  return mixed as EntityClass<FieldsOf<S, R> & Pick<Entity, 'pk'>>; // its fields are those that the schema accepts
}
