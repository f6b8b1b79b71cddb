import { isForm } from '../../schema/collection/collectionArgs.ts';
import { CollectionChange } from '../../schema/collection/CollectionChange.ts';
import { entitiesOf, wrapperOf } from '../../schema/entitiesOf.ts';
import { givenFields, originOf } from '../../schema/entity/Origin.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';
import { isPlain } from '../../util/isPlain.ts';
import type { EndpointInterface } from '../EndpointInterface.ts';
import type { RestEndpointOptions } from './RestEndpointOptions.ts';
import type { Snapshot } from '../Snapshot.ts';

/** The optimistic responses of a resource's mutations, if it has `optimistic: true`. */
interface OptimisticResponses {
  /** For `push` and the others, which inherit it from the list. */
  readonly list: Partial<RestEndpointOptions>;
  readonly create: Partial<RestEndpointOptions>;
  readonly change: Partial<RestEndpointOptions>;
  readonly delete: Partial<RestEndpointOptions>;
}

const NONE: OptimisticResponses = { list: {}, create: {}, change: {}, delete: {} };

/**
 * The optimistic responses of a resource's mutations: the data that was sent. None if the resource is not optimistic.
 */
export function optimisticResponses(
  entity: EntityOrUnion,
  isOptimistic: boolean | undefined,
): OptimisticResponses {
  if (isOptimistic !== true || !isEntity(entity)) return NONE;
  const named = (snapshot: Snapshot, params: unknown): object =>
    // The args of a request identify its entity.
    storedAs(entity, snapshot.get<EntityClass>(entity, params as object), fieldsOf(entity, params, snapshot));
  /** The first that has a pk. Without any, it is unknown which entity changes, and a new one must not be shown. */
  const identified = (fields: readonly object[], args: readonly unknown[], { abort }: Snapshot): object => {
    const found = fields.find((each) => entity.pk(each, undefined, undefined, args) !== undefined);
    if (found === undefined) throw abort;
    return found;
  };
  /**
   * The response that a schema describes, made of the data that was sent: if the entity is wrapped in an object, as in
   * `{ article: Article }`, that data may be wrapped too. None if it describes another entity, such as the order of a line.
   */
  const within = (
    schema: Schema,
    sent: unknown,
    snapshot: Snapshot,
    answer: (fields: Fields) => object,
  ): object => {
    const fields = fieldsOf(entity, sent, snapshot);
    const wrapper = wrapperOf(schema);
    if (wrapper === undefined) {
      const described = entitiesOf(schema);
      if (described.length > 0 && !described.some(({ key }) => key === entity.key)) throw snapshot.abort;
      return answer(fields);
    }
    const [name, nested] = wrapper;
    const inner = fields[name];
    return { [name]: within(nested, isPlain(inner) ? inner : fields, snapshot, answer) };
  };
  return {
    list: {
      getOptimisticResponse(this: Pick<RestEndpointOptions, 'schema' | 'method'>, snapshot, ...args) {
        // Other endpoints derived from the list have other responses.
        if (!(this.schema instanceof CollectionChange)) throw snapshot.abort;
        const sent = args.at(-1);
        if (Array.isArray(sent)) return sent.map((item: unknown) => fieldsOf(entity, item, snapshot));
        const body = fieldsOf(entity, sent, snapshot);
        // The body may rely on the parameters to identify the changed member.
        return this.method === 'PATCH'
          ? identified([body, { ...named(snapshot, args[0]), ...body }], args, snapshot)
          : body;
      },
    },
    // The body is the last argument: if the path has no parameters, it may be the only one.
    create: {
      getOptimisticResponse(this: CreateEndpoint, snapshot, ...args) {
        const { schema, renames, itemParam = '' } = this;
        return within(schema, args.at(-1), snapshot, (fields) => {
          const { [itemParam]: named } = Object(args[0]) as Fields; // read by name
          // Only a PUT is sent to the path of the new entity.
          if (renames !== true || named === undefined) return fields;
          return { ...storedAs(entity, undefined, { [itemParam]: named }), ...fields };
        });
      },
    },
    change: {
      getOptimisticResponse(this: Pick<RestEndpointOptions, 'schema'>, snapshot, params, body) {
        return within(this.schema, body, snapshot, (fields) => {
          const before = named(snapshot, params);
          const after = { ...before, ...fields };
          // A form may contain an empty value for the field that identifies the entity.
          return identified([after, { ...after, ...before }], [params, body], snapshot);
        });
      },
    },
    delete: { getOptimisticResponse: named },
  };
}

/** What a create's prediction depends on. */
type CreateEndpoint = Pick<EndpointInterface, 'schema' | 'renames' | 'itemParam'>;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of the data that was sent. Files alone do not determine an entity's fields. */
function fieldsOf({ defaults }: EntityClass, sent: unknown, { abort }: Snapshot): Fields {
  const origin = typeof sent === 'object' && sent !== null ? originOf(sent) : undefined;
  // Also of an instance that was read, such as one from before a change that the user undoes.
  if (isPlain(sent) || typeof origin === 'string') return sentFields(sent as Fields); // checked: it is one of these
  // Created by `fromJS`.
  if (origin !== undefined) return givenFields(sent as object, origin, defaults) as Fields; // checked: it is an instance
  const fields = isForm(sent) ? formFields(defaults, sent) : {};
  if (Object.keys(fields).length === 0) throw abort;
  return fields;
}

/** The fields that a request contains: neither JSON nor a URL contains undefined ones. */
function sentFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The texts of a form, converted to the type of each field's default. Files are left out: only the server knows their
 * result. Repeated fields become a list if the default is a list, or if the name ends in `[]`.
 */
function formFields(
  defaults: Readonly<Record<string, unknown>>,
  form: FormData | URLSearchParams,
): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  form.forEach((value: unknown, name: string) => {
    if (typeof value !== 'string') return;
    const field = name.replace(/\[\]$/, '');
    const byDefault = Object.hasOwn(defaults, field) ? defaults[field] : undefined;
    if (field !== name || Array.isArray(byDefault)) {
      const list = fields.get(field);
      if (Array.isArray(list)) list.push(value);
      else fields.set(field, [value]);
    } else if (typeof byDefault === 'boolean') {
      fields.set(field, /^(?:true|on|yes|1)$/i.test(value));
    } else if (typeof byDefault !== 'number') {
      fields.set(field, value);
    } else if (value.trim() !== '' && !Number.isNaN(Number(value))) {
      fields.set(field, Number(value));
    }
  });
  return Object.fromEntries(fields);
}

/**
 * Parameters in the entity's types: in a path, `'5'` and `5` are the same, but its row has one of the two. With the field
 * that contains the pk, if they identify it by another field that is indexed.
 */
export function storedAs(entity: EntityClass, current: object | undefined, params: Fields): Fields {
  // The fields of an entity by name. Without one, the defaults have their types.
  const fields = (current ?? entity.defaults) as Fields;
  const stored = Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const known = fields[name];
      const converted = current === undefined && typeof known === 'number' ? Number(value) : known;
      return [name, String(converted) === String(value) ? converted : value];
    }),
  );
  const pkOf = (named: object): string | undefined => entity.pk(named, undefined, undefined, [params]);
  if (current === undefined || pkOf(stored) !== undefined) return stored;
  const name = Object.keys(fields).find((field) => pkOf({ [field]: fields[field] }) === pkOf(current));
  return name === undefined ? stored : { [name]: fields[name], ...stored };
}
