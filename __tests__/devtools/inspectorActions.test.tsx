/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import '@testing-library/react/dont-cleanup-after-each';
import { act, cleanup } from '@testing-library/react';
import { Controller, createResource, Entity } from 'holdfast';
import { devtoolsInProduction } from 'holdfast/devtools';
import { DataProvider, useCache } from 'holdfast/react';
import { memo } from 'react';
import { User } from '../support/entities.ts';
import { changedFields } from '../../plugins/devtools/inspector/tabs/RowEditor.tsx';
import { open, press, showInspector, until, type Shown } from './shownInspector.tsx';

class Post extends Entity {
  id = '';
  title = '';
  likes = 0;
  author = User.fromJS();
  static override key = 'Post';
  static override schema = { author: User };
}
const { get } = createResource({ path: '/posts/:id', schema: Post });

let controller: Controller;
const tools = () => controller.plugins[0] as ReturnType<typeof devtoolsInProduction>; // made so below

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  controller = new Controller({ plugins: [devtoolsInProduction()] });
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'Kelp', likes: 1, author: { id: '7' } });
});
afterEach(async () => {
  await act(async () => cleanup());
  await controller.stop();
});

function Title() {
  const post = useCache(get, { id: '1' });
  return <p data-testid="title">{post && `${post.title} ${post.likes} ${post.author.id}`}</p>;
}

async function write(inspector: Shown, text: string) {
  const field = inspector.getByRole<HTMLTextAreaElement>('textbox', { name: 'Fields as JSON' });
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

async function showRow() {
  const shown = await showInspector(controller, <Title />);
  await open(shown.inspector, 'Rows');
  await press(shown.inspector, /^1 ?Kelp/);
  return { ...shown, title: () => shown.getByTestId('title').textContent };
}

describe('editing a row in the inspector', () => {
  it('an edit is shown in the app, marked, until it is undone; nothing is stored or sent', async () => {
    const { inspector, title } = await showRow();
    await press(inspector, 'Edit');
    await write(inspector, '{ "id": "1", "title": "Giant kelp", "likes": 1, "author": "7" }');
    await press(inspector, 'Show the edit');
    expect(title()).toBe('Giant kelp 1 7');
    await until(() => inspector.queryAllByText('edited here').length === 2);
    expect(tools().traffic.entries()).toEqual([]);
    expect(tools().timeline.entries()[0]?.action.type).toBe('optimistic');

    // Newer data stays below the edit.
    await act(async () => controller.set(Post, { id: '1' }, { title: 'Sea kelp', likes: 2 }));
    expect(title()).toBe('Giant kelp 2 7');
    await until(() => inspector.queryByText('2', { selector: '.number' }) !== null);

    await press(inspector, 'Undo the edit');
    await until(() => title() === 'Sea kelp 2 7');
    await until(() => inspector.queryAllByText('edited here').length === 0);
  });

  it('a second edit is added to the first', async () => {
    const { inspector, title } = await showRow();
    await press(inspector, 'Edit');
    await write(inspector, '{ "title": "Giant kelp" }');
    await press(inspector, 'Show the edit');
    await until(() => inspector.queryAllByText('edited here').length === 2);
    await press(inspector, 'Edit');
    await write(inspector, '{ "likes": 9 }');
    await press(inspector, 'Show the edit');
    await until(() => title() === 'Giant kelp 9 7');
    await press(inspector, 'Undo the edit');
    await until(() => title() === 'Kelp 1 7');
  });

  it('an edit outlives the panel, works while offline is simulated, and ends with a reset', async () => {
    const { inspector, title } = await showRow();
    await act(async () => tools().setOffline(true));
    await press(inspector, 'Edit');
    await write(inspector, '{ "title": "Giant kelp" }');
    await press(inspector, 'Show the edit');
    await press(inspector, 'Close the inspector');
    await open(inspector, 'Rows');
    expect(title()).toBe('Giant kelp 1 7');
    inspector.getByRole('button', { name: 'Undo the edit' });
    await act(async () => controller.reset());
    await act(async () =>
      controller.setResponse(get, { id: '1' }, { id: '1', title: 'Kelp', author: { id: '7' } }),
    );
    expect(title()).toBe('Kelp 0 7');
    await until(() => inspector.queryAllByText('edited here').length === 0);
    await act(async () => tools().setOffline(false));
  });

  it('the editor says what is wrong with the text, and shows no edit', async () => {
    const { inspector, title } = await showRow();
    await press(inspector, 'Edit');
    await write(inspector, '{ "title": ');
    inspector.getByText(/This is not JSON/);
    expect(inspector.getByRole('button', { name: 'Show the edit' })).toHaveProperty('disabled', true);
    await press(inspector, 'Cancel');
    expect(title()).toBe('Kelp 1 7');
  });
});

describe('changedFields', () => {
  it('changedFields returns the fields whose text was changed', () => {
    const row = { id: '1', at: new Date(0), big: 5n, list: [1] };
    expect(
      changedFields(row, '{ "id": "1", "at": "1970-01-01T00:00:00.000Z", "big": "5", "list": [1, 2] }'),
    ).toEqual({
      list: [1, 2],
    });
    expect(changedFields(row, '{ "new": null }')).toEqual({ new: null });
  });

  it('changedFields returns a sentence for a text that is not an object', () => {
    expect(changedFields({}, '[]')).toBe('A row is an object: { "field": value }');
  });
});

describe('the state before a commit', () => {
  it('the state before a commit is shown in all lists, without actions, until the person returns to now', async () => {
    controller.set(Post, { id: '1' }, { title: 'Sea kelp' });
    controller.set(Post, { id: '2' }, { id: '2', title: 'Urchins' });
    const { inspector } = await showInspector(controller, <Title />);
    await open(inspector, 'Commits');
    await press(inspector, /set Post 1 changed/);
    await press(inspector, 'Look at the state before');
    await until(() => inspector.queryByText(/shown as before set Post/) !== null);
    await act(async () => inspector.getByRole('tab', { name: /Rows/ }).click());
    await press(inspector, /^1 ?Kelp/);
    expect(inspector.queryByRole('button', { name: 'Edit' })).toBeNull();
    expect(inspector.queryByText('Urchins')).toBeNull();
    await act(async () => inspector.getByRole('tab', { name: /Results/ }).click());
    expect(inspector.queryByRole('button', { name: 'Invalidate all' })).toBeNull();
    await press(inspector, 'Back to now');
    await until(() => inspector.queryByRole('button', { name: 'Invalidate all' }) !== null);
    await act(async () => inspector.getByRole('tab', { name: /Rows/ }).click());
    inspector.getByText('Urchins');
  });

  it('the state before the first commit is unknown', async () => {
    const { inspector } = await showInspector(controller, <Title />);
    await open(inspector, 'Commits');
    await press(inspector, /setResponse/);
    expect(inspector.getByRole('button', { name: 'Look at the state before' })).toHaveProperty(
      'disabled',
      true,
    );
  });
});

it('the badge of Results counts what the list has, reads without a result as well', async () => {
  function Other() {
    useCache(get, { id: '5' });
    return null;
  }
  const { inspector } = await showInspector(
    controller,
    <>
      <Title />
      <Other />
    </>,
  );
  await open(inspector);
  await until(() => inspector.queryAllByText('GET', { exact: false }).length > 0);
  const list = inspector.getByRole('list', { name: 'Results' });
  expect(inspector.getByRole('tab', { name: /Results/ }).textContent).toBe(
    `Results${list.querySelectorAll('button').length}`,
  );
  expect(list.querySelectorAll('button')).toHaveLength(2);
});

describe('the components that show a result', () => {
  it('the inspector names the components that show a result while they are mounted, also in memo', async () => {
    const Heading = memo(function Heading() {
      return <h1>{useCache(get, { id: '1' })?.title}</h1>;
    });
    const { inspector, rerender } = await showInspector(
      controller,
      <>
        <Title />
        <Heading />
        <Heading />
      </>,
    );
    await open(inspector);
    await press(inspector, /GET \/posts\/1/);
    await until(() => inspector.queryByText('Heading (2), Title') !== null);
    rerender(
      <DataProvider controller={controller}>
        <Title />
      </DataProvider>,
    );
    expect([...tools().components.namesOf(get.key({ id: '1' }))]).toEqual([['Title', 1]]);
  });

  it.each([
    [
      'Firefox and Safari',
      'useState@https://a.example/react.js:1:2\nuseTitle@x\nTitle@https://a.example/app.js:3:4',
    ],
    [
      'Chromium',
      'Error: x\n    at useCache (https://a.example/h.js:1:2)\n    at Title (https://a.example/app.js:3:4)',
    ],
    [
      'a class or module of a bundler',
      'Error: x\n    at Module.useCache (h.js:1:2)\n    at exports.Title (app.js:3:4)',
    ],
  ])('the inspector finds component names in a stack of %s', (_, stack) => {
    const at = Object.assign(new Error('x'), { stack });
    const unnamed = Object.assign(new Error('x'), {
      stack: 'at useCache (x)\nat renderWithHooks (x)\nat Promise (x)',
    });
    tools().mounted('key', unnamed);
    const stop = tools().mounted('key', at);
    expect([...tools().components.namesOf('key')]).toEqual([['Title', 1]]);
    stop();
    expect([...tools().components.namesOf('key')]).toEqual([]);
  });
});
