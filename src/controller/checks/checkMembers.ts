import { MISSING } from '../../schema/missing.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import { descendants, explainMissing } from '../../views/descendants.ts';
import { EntityNode } from '../../views/EntityNode.ts';
import type { Node } from '../../views/Node.ts';
import type { Views } from '../../views/Views.ts';

/**
 * In development, warns of a response with entities that are not shown because something that they refer to was never
 * stored: a list of rows with the ids of their authors is empty until the authors have arrived.
 *
 * @param owner - receives the warning once per endpoint
 * @param endpoint - whose response it is
 * @param root - the node of the response
 */
export function checkMembers(
  owner: object,
  views: Pick<Views, 'inspect'>,
  endpoint: { readonly name: string },
  root: Node,
): void {
  const { name } = endpoint;
  views.inspect(root, () => {
    for (const node of descendants([root])) {
      if (!(node instanceof EntityNode) || node.value !== MISSING) continue;
      const isIncomplete = node.reason?.startsWith('its required field') === true;
      const cause = isIncomplete ? explainMissing(node) : '';
      if (!cause.endsWith('it is not stored')) continue;
      warnOnce(
        owner,
        'HF_MEMBERS_OMITTED',
        `${name} has entities that are not shown: ${node.label} refers to ${cause}; fetch that as well, or let the field be undefined by default`,
        name,
      );
      return;
    }
  });
}
