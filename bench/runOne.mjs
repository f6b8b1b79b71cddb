// Measures one scenario with one library in a process of its own: `node runOne.mjs <bundle of the adapter> <row>`.
import { check } from './check.mjs';
import { scenarios } from './scenarios.mjs';

const [bundle, row] = process.argv.slice(2);
const { adapter } = await import(bundle);

if (row === undefined) {
  await check(adapter);
  const can = Object.keys(await adapter.create());
  process.send({ title: adapter.title, can, isAsync: adapter.isAsync ?? false });
} else {
  const scenario = scenarios.find((candidate) => candidate.row === row);
  process.send(await scenario.measure(adapter));
}
process.disconnect();
