import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { MISSING } from '../../schema/missing.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import { descendants, explainMissing } from '../../views/descendants.ts';
import { EntityNode } from '../../views/EntityNode.ts';
import type { Views } from '../../views/Views.ts';

/**
 * In development, warns of a response with members that lists omit because something that they refer to was never
 * stored: a list of rows with the ids of their authors is empty until the authors have arrived.
 *
 * @param owner - receives the warning once per endpoint
 * @param read - the endpoint, and the key and args of its stored response
 */
export function checkMembers(
  owner: object,
  views: Pick<Views, 'inspect' | 'resultNode'>,
  { endpoint, key, args }: { endpoint: EndpointInterface; key: string; args: readonly unknown[] },
): void {
  const { name, schema } = endpoint;
  views.inspect(views.resultNode(key, schema, args), (root) => {
    for (const node of descendants([root])) {
      if (!(node instanceof EntityNode) || node.value !== MISSING) continue;
      const isIncomplete = node.reason?.startsWith('its required field') === true;
      const cause = isIncomplete ? explainMissing(node) : '';
      if (!cause.endsWith('it is not stored')) continue;
      warnOnce(
        owner,
        'HF_MEMBERS_OMITTED',
        `${name} has members that its lists omit: ${node.label} refers to ${cause}; fetch that as well, or let the field be undefined by default`,
        name,
      );
      return;
    }
  });
}
