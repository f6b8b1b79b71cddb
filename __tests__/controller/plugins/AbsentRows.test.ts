import { expect, it } from '@jest/globals';
import { ControllerInternals } from '../../../src/controller/ControllerInternals.ts';
import { AbsentRows } from '../../../src/controller/plugins/AbsentRows.ts';
import { PluginHost } from '../../../src/controller/plugins/PluginHost.ts';

it('a row whose restore fails stays absent, and does not fail the fetches that wait for it', async () => {
  const asked: unknown[] = [];
  const rows = new AbsentRows(new ControllerInternals({}, new PluginHost([])), (wanted) => {
    asked.push(wanted);
    return Promise.reject(new Error('A bug of the app'));
  });
  rows.record('User', 'u1');
  await expect(rows.restore()).resolves.toBeUndefined();
  expect(asked).toEqual([[['User', 'u1']]]);
  expect(rows.restore()).toBeUndefined();
});
