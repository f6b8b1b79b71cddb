import { beforeEach, describe, expect, it } from '@jest/globals';
import { All, Collection, Controller, createResource, Entity, isTemporaryPk } from 'holdfast';
import { Manual, quiet, request, sent } from '../../support/manualRequests.ts';

class Line extends Entity {
  id = '';
  text = '';
  order = '';
  parts: Part[] = [];
  static override key = 'Line';
}
class Part extends Entity {
  sku = '';
  static override key = 'Part';
  override pk() {
    return this.sku;
  }
}
Line.schema = { parts: [Part] };
class Order extends Entity {
  id = '';
  title = '';
  lines: Line[] = [];
  static override key = 'Order';
  static override schema = {
    lines: new Collection([Line], { nestKey: (order: { id: string }) => ({ order: order.id }) }),
  };
}

const options = { optimistic: true, Endpoint: Manual } as const;
const OrderResource = createResource({ path: '/orders/:id', schema: Order, ...options });
const LineResource = createResource({ path: '/lines/:id', schema: Line, ...options });

const ORDER = { title: 'new', lines: [{ text: 'a', parts: [{ sku: 'nut' }] }, { text: 'b' }] };

let controller: Controller;

beforeEach(() => {
  sent.length = 0;
  controller = new Controller();
  controller.setResponse(OrderResource.getList, []);
  controller.setResponse(LineResource.getList, [{ id: 'old', text: 'old' }]);
});

const shownOrder = (): Order => controller.getResponse(OrderResource.getList).data![0]!;

describe('a mutation that creates several entities', () => {
  it('nested entities without a pk are shown at once, each with a temporary pk', () => {
    void quiet(controller.fetch(OrderResource.create, ORDER));
    const { lines } = shownOrder();
    expect(lines).toMatchObject([{ text: 'a', parts: [{ sku: 'nut' }] }, { text: 'b' }]);
    const pks = [shownOrder().id, ...lines.map(({ id }) => id)];
    expect(pks.every(isTemporaryPk)).toBe(true);
    expect(new Set(pks).size).toBe(3);
    expect(controller.get(Line, { id: lines[1]!.id })).toBe(lines[1]);
  });

  it('they keep their pks while other mutations come and go', async () => {
    void quiet(controller.fetch(OrderResource.create, ORDER));
    const before = shownOrder().lines.map((line) => line.id);
    const edit = quiet(controller.fetch(LineResource.partialUpdate, { id: before[0]! }, { text: 'A' }));
    expect(shownOrder().lines).toMatchObject([
      { id: before[0], text: 'A' },
      { id: before[1], text: 'b' },
    ]);
    await (await request(1)).fail();
    await expect(edit).rejects.toThrow();
    expect(shownOrder().lines).toMatchObject([
      { id: before[0], text: 'a' },
      { id: before[1], text: 'b' },
    ]);
  });

  it('their temporary pks stand for the rows that the server has created at the same position', async () => {
    const done = quiet(controller.fetch(OrderResource.create, ORDER));
    const [a, b] = shownOrder().lines;
    const answer = {
      id: 'o1',
      title: 'new',
      lines: [
        { id: 'l1', text: 'a', parts: [{ sku: 'nut' }] },
        { id: 'l2', text: 'b' },
      ],
    };
    await (await request()).answer(answer);
    const created = await done;
    expect(created.lines.map(({ id }) => id)).toEqual(['l1', 'l2']);
    expect(shownOrder()).toBe(created);
    expect(controller.get(Line, { id: a!.id })).toBe(created.lines[0]);
    expect(controller.get(Line, { id: b!.id })).toBe(created.lines[1]);
    expect(created.lines.map((line) => controller.keyOf(line))).toEqual([a!.id, b!.id]);
  });

  it('rows that the server has moved past known ones are still matched', async () => {
    const known = { id: 'old', text: 'old' };
    const done = quiet(
      controller.fetch(OrderResource.create, { title: 'new', lines: [{ text: 'a' }, known] }),
    );
    const [a] = shownOrder().lines;
    await (await request()).answer({ id: 'o1', title: 'new', lines: [known, { id: 'l1', text: 'a' }] });
    await done;
    expect(controller.get(Line, { id: a!.id })).toMatchObject({ id: 'l1', text: 'a' });
  });

  it('they are not matched if the server has created another number of them', async () => {
    const done = quiet(controller.fetch(OrderResource.create, ORDER));
    const [a] = shownOrder().lines;
    await (await request()).answer({ id: 'o1', title: 'new', lines: [{ id: 'l1', text: 'b' }] });
    expect((await done).lines).toHaveLength(1);
    expect(controller.get(Line, { id: a!.id })).toBeUndefined();
  });

  it('they disappear with a mutation that fails', async () => {
    const failed = quiet(controller.fetch(OrderResource.create, ORDER));
    const [a] = shownOrder().lines;
    await (await request()).fail();
    await expect(failed).rejects.toThrow();
    expect(controller.getResponse(OrderResource.getList).data).toEqual([]);
    expect(controller.get(Line, { id: a!.id })).toBeUndefined();
  });

  it('all members of a list without pks are shown, and continue as the rows of the response', async () => {
    const texts = () => controller.getResponse(LineResource.getList).data!.map(({ text }) => text);
    const done = quiet(controller.fetch(LineResource.getList.push, [{ text: 'a' }, { text: 'b' }]));
    expect(texts()).toEqual(['old', 'a', 'b']);
    const shown = controller.getResponse(LineResource.getList).data!.slice(1);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
    await (
      await request()
    ).answer([
      { id: 'l1', text: 'a' },
      { id: 'l2', text: 'b' },
    ]);
    await done;
    expect(texts()).toEqual(['old', 'a', 'b']);
    expect(shown.map(({ id }) => controller.get(Line, { id })?.id)).toEqual(['l1', 'l2']);
  });

  it('entities inside of several rows with pks of the app continue as the rows of the response', async () => {
    const order = (id: string, line: object) => ({ id, title: id, lines: [line] });
    const shown = () => controller.getResponse(OrderResource.getList).data!.map(({ lines }) => lines[0]!);
    const bodies = [order('x', { text: 'a' }), order('y', { text: 'b' })];
    const done = quiet(controller.fetch(OrderResource.getList.push, bodies));
    const temporary = shown().map(({ id }) => id);
    expect(temporary.every(isTemporaryPk)).toBe(true);
    await (
      await request()
    ).answer([order('x', { id: 'l1', text: 'a' }), order('y', { id: 'l2', text: 'b' })]);
    await done;
    expect(shown().map(({ text }) => text)).toEqual(['a', 'b']);
    expect(temporary.map((id) => controller.get(Line, { id })?.id)).toEqual(['l1', 'l2']);
  });

  it('an entity that an update adds to a relation continues as the row of the response', async () => {
    controller.setResponse(
      OrderResource.get,
      { id: 'o1' },
      { id: 'o1', title: 'old', lines: [{ id: 'l1' }] },
    );
    const lines = () => controller.get(Order, { id: 'o1' })!.lines;
    const body = { lines: [{ id: 'l1' }, { text: 'b' }] };
    const done = quiet(controller.fetch(OrderResource.partialUpdate, { id: 'o1' }, body));
    const [, shown] = lines();
    expect(shown).toMatchObject({ text: 'b' });
    await (
      await request()
    ).answer({ id: 'o1', title: 'old', lines: [{ id: 'l1' }, { id: 'l2', text: 'b' }] });
    await done;
    expect(lines().map(({ id }) => id)).toEqual(['l1', 'l2']);
    expect(controller.get(Line, { id: shown!.id })).toBe(lines()[1]);
  });

  it('an entity whose own pk the server replaces is renamed, and those nested in it are matched', async () => {
    const done = quiet(controller.fetch(OrderResource.create, { id: 'mine', ...ORDER }));
    const shown = shownOrder();
    expect(shown.id).toBe('mine');
    const lines = ['a', 'b'].map((text) => ({ id: `l-${text}`, text }));
    await (await request()).answer({ id: 'o1', title: 'new', lines });
    const created = await done;
    expect(controller.getResponse(OrderResource.getList).data).toEqual([created]);
    expect(controller.get(Order, { id: 'mine' })).toBe(created);
    expect(shown.lines.map(({ id }) => controller.get(Line, { id }))).toEqual(created.lines);
    expect(created.lines.map(({ id }) => id)).toEqual(['l-a', 'l-b']);
  });

  it('a relation of a relation is matched, too', async () => {
    class Box extends Entity {
      id = '';
      orders: Order[] = [];
      static override key = 'Box';
      static override schema = { orders: [Order] };
    }
    const BoxResource = createResource({ path: '/boxes/:id', schema: Box, ...options });
    controller.setResponse(BoxResource.getList, []);
    const done = quiet(controller.fetch(BoxResource.create, { orders: [ORDER, ORDER] }));
    const [shown] = controller.getResponse(BoxResource.getList).data!;
    const line = shown!.orders[1]!.lines[0]!;
    const ids = new Set(shown!.orders.flatMap((order) => [order.id, ...order.lines.map(({ id }) => id)]));
    expect(ids.size).toBe(6);
    const orderOf = (id: string) => ({
      id,
      title: 'new',
      lines: ['a', 'b'].map((text) => ({ id: `${id}-${text}`, text })),
    });
    await (await request()).answer({ id: 'b1', orders: ['o1', 'o2'].map(orderOf) });
    const box = await done;
    expect(controller.get(Line, { id: line.id })).toBe(box.orders[1]!.lines[0]);
  });
});

describe('an entity that the app sets while it is being created', () => {
  const shown = () => controller.get(new All(Line))?.map(({ id, text, order }) => [id, text, order]);

  it('an entity that the app sets while it is being created is there once, with what the response lacks', async () => {
    controller = new Controller();
    const created = controller.fetch(LineResource.create, { text: 'a' });
    const { id } = controller.get(new All(Line))![0]!;
    controller.set(Line, { id }, { order: 'o' });
    expect(shown()).toEqual([[id, 'a', 'o']]);
    await (await request()).answer({ id: 'new', text: 'a' });
    await created;
    expect(shown()).toEqual([['new', 'a', 'o']]);
    expect(controller.get(Line, { id })).toBe(controller.get(Line, { id: 'new' }));
  });
});
