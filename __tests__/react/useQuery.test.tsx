/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { All, Controller, Entity, Query } from 'holdfast';
import { DataProvider, useQuery } from 'holdfast/react';
import type { ReactElement } from 'react';

class TodoWithDone extends Entity {
  id = '';
  text = '';
  done = false;
  static override key = 'Todo';
}
const openTodos = new Query(new All(TodoWithDone), (todos) => todos.filter((todo) => !todo.done));

describe('useQuery', () => {
  it('useQuery shows what is in memory, and renders again only when that changes', () => {
    const controller = new Controller();
    let renders = 0;
    function Open(): ReactElement {
      renders += 1;
      const todos = useQuery(openTodos);
      return <p data-testid="open">{todos?.map(({ text }) => text).join(', ') ?? 'nothing'}</p>;
    }
    render(
      <DataProvider controller={controller}>
        <Open />
      </DataProvider>,
    );
    expect(screen.getByTestId('open').textContent).toBe('nothing');
    act(() => {
      controller.batch(() => {
        controller.set(TodoWithDone, { id: '1' }, { text: 'one' });
        controller.set(TodoWithDone, { id: '2' }, { text: 'two', done: true });
      });
    });
    expect(screen.getByTestId('open').textContent).toBe('one');
    expect(renders).toBe(2);
    act(() => controller.set(TodoWithDone, { id: '2' }, { text: 'second' }));
    expect(renders).toBe(2);
    act(() => controller.set(TodoWithDone, { id: '2' }, { done: false }));
    expect(screen.getByTestId('open').textContent).toBe('one, second');
    expect(renders).toBe(3);
  });

  it('useQuery finds an entity by its args', () => {
    const controller = new Controller();
    controller.set(TodoWithDone, { id: '1' }, { text: 'one' });
    function Text({ id }: { id: string }): ReactElement {
      return <p data-testid="text">{useQuery(TodoWithDone, { id })?.text ?? 'nothing'}</p>;
    }
    const tree = (id: string) => (
      <DataProvider controller={controller}>
        <Text id={id} />
      </DataProvider>
    );
    const { rerender } = render(tree('1'));
    expect(screen.getByTestId('text').textContent).toBe('one');
    rerender(tree('2'));
    expect(screen.getByTestId('text').textContent).toBe('nothing');
  });
});
