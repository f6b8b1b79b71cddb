import { describe, expect, it } from '@jest/globals';
import { All, Entity, Query, type Schema } from 'holdfast';
import { ControllerInternals } from '../../src/controller/ControllerInternals.ts';
import { PluginHost } from '../../src/controller/plugins/PluginHost.ts';
import { normalize } from '../../src/schema/normalize.ts';
import { newResult } from '../../src/store/writeResult.ts';
import { writeNormalized } from '../../src/store/writeEntity.ts';
import { readMeta } from '../store/rows.ts';
import { User } from '../support/entities.ts';
import { nodeCount } from '../support/nodeCount.ts';

class ArticleWithAuthorAndReaders extends Entity {
  id = '';
  author: User | undefined = undefined;
  readers: User[] = [];
  static override key = 'Article';
  static override schema: Readonly<Record<string, Schema>> = { author: User, readers: [User] };
}

const options = { action: { type: 'setResponse' }, origin: 'app' } as const;
const list = [ArticleWithAuthorAndReaders];

function newCore(): ControllerInternals {
  return new ControllerInternals({}, new PluginHost([]));
}

function write(core: ControllerInternals, key: string, schema: Schema, response: unknown): void {
  const normalized = normalize(schema, response);
  core.store.commit((writer) => {
    writeNormalized(writer, normalized, readMeta(1), core.registry);
    writer.setResult(key, newResult(schema, normalized.result, readMeta(1)));
  }, options);
}

/** Takes all rows and results out of memory. */
function forgetAll(core: ControllerInternals): void {
  core.store.commit((writer) => {
    for (const [name, table] of Object.entries(core.store.base.tables)) {
      for (const [pk] of table.entries()) writer.deleteRow(name, pk);
    }
    for (const [key] of core.store.base.results.entries()) writer.deleteResult(key);
  }, options);
}

const articles = Array.from({ length: 50 }, (_, id) => ({
  id,
  author: { id: `u${id % 5}` },
  readers: Array.from({ length: 40 }, (__, reader) => `r${reader}`), // of whom none is stored
}));

describe('nodes', () => {
  it('reads of missing data leave no nodes behind', () => {
    const core = newCore();
    core.views.entity(User, 'nobody');
    core.views.result('key', list, []);
    core.views.result('key 5', ArticleWithAuthorAndReaders, [{ id: 5 }]);
    core.views.query({ user: User }, [{ id: 5 }]);
    core.views.denormalize([ArticleWithAuthorAndReaders], ['1', '2'], []);
    expect(nodeCount(core.views)).toBe(0);
  });

  it('queries that throw leave no nodes behind, whether they are read or watched', () => {
    const core = newCore();
    write(core, 'key', list, articles);
    const failing = new Query(new All(User), (_users: User[], { text }: { text: string }) => RegExp(text));
    for (let nth = 0; nth < 5; nth++) {
      const args = [{ text: `(${nth}` }];
      expect(() => core.views.query(failing, args)).toThrow(SyntaxError);
      expect(() => core.views.watchQuery(failing, args, () => undefined)).toThrow(SyntaxError);
    }
    expect([...core.views.nodes.queries()]).toEqual([]);
  });

  it('watchers of missing data leave no nodes behind', () => {
    const core = newCore();
    const told = (): void => undefined;
    const stop = core.views.watchQuery(User, ['nobody'], told);
    const nodes = [list, [ArticleWithAuthorAndReaders]].map((schema) =>
      core.views.resultNode('key', schema, []),
    );
    for (const node of nodes) core.views.listen(node, told);
    expect(nodeCount(core.views)).toBe(3);
    stop();
    for (const node of nodes) core.views.unlisten(node, told);
    expect(nodeCount(core.views)).toBe(0);
  });

  it('nodes live as long as their rows and results are in memory', () => {
    const core = newCore();
    write(core, 'key', list, articles);
    const read = core.views.result('key', list, []);
    expect(nodeCount(core.views)).toBeGreaterThanOrEqual(56);
    expect(core.views.result('key', list, [])).toBe(read);
    forgetAll(core);
    expect(nodeCount(core.views)).toBe(0);
  });

  it('watched nodes outlive their rows until they are no longer watched', () => {
    const core = newCore();
    write(core, 'key', list, articles);
    let told = 0;
    const tell = (): void => {
      told += 1;
      core.views.result('key', list, []);
    };
    const node = core.views.resultNode('key', list, []);
    core.views.listen(node, tell);
    forgetAll(core);
    expect(told).toBe(1);
    expect(nodeCount(core.views)).toBe(1);
    write(core, 'key', list, articles);
    expect(told).toBe(2);
    forgetAll(core);
    core.views.unlisten(node, tell);
    expect(nodeCount(core.views)).toBe(0);
  });

  it('nodes of members that a list or field no longer contains are released, unless they are stored', () => {
    const core = newCore();
    write(core, 'key', list, [
      { id: 1, author: 'gone', readers: Array.from({ length: 40 }, (_, n) => `r${n}`) },
    ]);
    core.views.result('key', list, []);
    expect(nodeCount(core.views)).toBe(2 + 41);
    write(core, 'key', list, [{ id: 1, author: null, readers: ['r1', 'r2'] }]);
    core.views.result('key', list, []);
    expect(nodeCount(core.views)).toBe(2 + 2);
    write(core, 'key', list, []);
    core.views.result('key', list, []);
    // Article 1 is still stored, and holds the two.
    expect(nodeCount(core.views)).toBe(2 + 2);
  });

  describe('of a cycle', () => {
    class Link extends Entity {
      id = '';
      next: Link | undefined = undefined;
      static override key = 'Link';
      static override schema: Readonly<Record<string, Schema>> = {};
    }
    Link.schema = { next: Link };
    const cycle = [{ id: 1, next: { id: 2, next: 1 } }];

    it('nodes of a cycle are released with their rows', () => {
      const core = newCore();
      write(core, 'key', [Link], cycle);
      core.views.result('key', [Link], []);
      forgetAll(core);
      core.views.result('key', [Link], []);
      expect(nodeCount(core.views)).toBe(0);
    });

    it('nodes of a cycle are released by a reset', () => {
      const core = newCore();
      write(core, 'key', [Link], cycle);
      const link = core.views.entity(Link, '1') as Link; // denormalized by Link
      expect(link.next?.next).toBe(link);
      expect(nodeCount(core.views)).toBe(2);
      core.store.reset({ action: { type: 'reset' }, origin: 'app' });
      expect(nodeCount(core.views)).toBe(0);
    });
  });

  it('nodes do not pile up when each read creates its schema', () => {
    const core = newCore();
    write(core, 'key', list, []);
    for (let times = 0; times < 1_000; times++) core.views.result('key', [ArticleWithAuthorAndReaders], []);
    expect(nodeCount(core.views)).toBeLessThan(10);
  });

  it('nodes do not pile up when reads served from rows have different args each time', () => {
    const core = newCore();
    write(core, 'key', list, [{ id: 1 }]);
    for (let times = 0; times < 2_000; times++)
      core.views.result(`key ${times}`, ArticleWithAuthorAndReaders, [{ id: 1 }]);
    write(core, 'key', list, [{ id: 2 }]);
    expect(nodeCount(core.views)).toBeLessThan(500);
  });

  it('nodes are kept until the next change, for a page that reads many entities and then watches them', () => {
    const core = newCore();
    write(core, 'key', list, [{ id: 1 }]);
    const first = core.views.result('first', [ArticleWithAuthorAndReaders], [{ id: 1 }]);
    for (let times = 0; times < 2_000; times++)
      core.views.result(`key ${times}`, ArticleWithAuthorAndReaders, [{ id: 1 }]);
    expect(core.views.result('first', [ArticleWithAuthorAndReaders], [{ id: 1 }])).toBe(first);
    for (let times = 0; times < 50_000; times++)
      core.views.result(`key ${times}`, ArticleWithAuthorAndReaders, [{ id: 1 }]);
    expect(nodeCount(core.views)).toBeLessThan(21_000);
  });

  it('stopping a watcher twice does not release the nodes of the next one', () => {
    const core = newCore();
    const stop = core.views.watchQuery(User, ['1'], () => undefined);
    stop();
    let told = 0;
    core.views.watchQuery(User, ['1'], () => (told += 1));
    stop();
    write(core, 'key', User, { id: 1 });
    expect(told).toBe(1);
  });
});
