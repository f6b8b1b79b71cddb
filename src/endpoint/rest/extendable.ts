import { collectionOf } from './collectionOf.ts';
import type { RestEndpoint } from './RestEndpoint.ts';

/** The endpoints of a resource. */
type Members = Readonly<Record<string, RestEndpoint>> & { readonly get: RestEndpoint };

/**
 * Adds `extend` to a resource.
 *
 * @param resource - its name, the prefix of its endpoints' names
 */
export function extendable(resource: string, members: Members): object {
  const override = (name: string, options: object): [string, RestEndpoint] => {
    const existing = Object.hasOwn(members, name) ? members[name] : undefined;
    if (existing !== undefined) return [name, existing.extend(options)];
    return [name, members.get.extend({ name: `${resource}.${name}`, ...options })];
  };
  // An endpoint derived from another member has that one's name: a queue of mutations could not distinguish the two.
  const named = ([name, endpoint]: [string, RestEndpoint]): [string, RestEndpoint] => {
    const isTaken = Object.entries(members).some(
      ([other, member]) => other !== name && member.name === endpoint.name,
    );
    return [name, isTaken ? endpoint.extend({ name: `${resource}.${name}` }) : endpoint];
  };
  const extend = (
    given:
      string | Readonly<Record<string, object>> | ((base: object) => Readonly<Record<string, RestEndpoint>>),
    options: object = {},
  ): object => {
    const added =
      typeof given === 'string'
        ? [override(given, options)]
        : typeof given === 'function'
          ? Object.entries(given(self)).map(named)
          : Object.entries(given).map(([name, own]) => override(name, own));
    return extendable(resource, following(members, { ...members, ...Object.fromEntries(added) }));
  };
  const self: object = { ...members, extend };
  return self;
}

/** Makes `create` append to the current list of its resource, if that has changed. */
function following(before: Members, members: Members): Members {
  const [former, list] = [before, members].map((all) => collectionOf(all['getList']?.schema));
  const create = members['create'];
  if (list === undefined || list === former || create?.ownList === undefined || create.ownList !== former)
    return members;
  return { ...members, create: create.extend({ ownList: list }) };
}
