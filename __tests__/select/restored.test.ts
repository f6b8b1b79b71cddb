import { describe, expect, it } from '@jest/globals';
import { Aggregate, Controller, Entity, Select } from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';

class IssueWithState extends Entity {
  id = '';
  state = 'open';
  static override key = 'Issue';
}

const open = new Select(IssueWithState, { where: { state: 'open' }, limit: 2 });
const counts = new Aggregate(IssueWithState, { groupBy: 'state', values: { n: 'count' } });

describe('A live query of rows that are on disk alone', () => {
  it('has its whole table restored once it is watched, with every restore option', async () => {
    for (const restore of ['lazy', 'progressive'] as const) {
      const storage = memoryStorage();
      const plugin = () => indexedDB({ name: 'app', persist: 'all', restore, storage });
      const before = new Controller({ plugins: [plugin()] });
      before.set(
        [IssueWithState],
        Array.from({ length: 9 }, (_, id) => ({ id: String(id), state: id % 3 === 0 ? 'open' : 'closed' })),
      );
      await before.flush();
      await before.stop();

      const controller = new Controller({ plugins: [plugin()] });
      const shown = new Promise<readonly IssueWithState[] | undefined>((resolve) => {
        controller.watch(open, (issues) => {
          if (issues?.length === 2) resolve(issues);
        });
      });
      expect((await shown)?.map(({ id }) => id)).toEqual(['0', '3']);
      expect(controller.get(counts)).toEqual({ open: { n: 3 }, closed: { n: 6 } });
      await controller.stop();
    }
  });
});
