/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { Controller, createResource, Entity } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { memo, type ReactElement } from 'react';
import { Author } from '../../support/entities.ts';

class PostWithAuthor extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  static override key = 'Post';
  static override schema = { author: Author };
}
const posts = createResource({ path: '/posts/:id', schema: PostWithAuthor });

// So many rows take a slow machine a while to mount.
const ROWS = 10_000;
/** Every author has a hundred posts. */
const response = Array.from({ length: ROWS }, (_, id) => ({
  id: `p${id}`,
  title: `post ${id}`,
  author: { id: `a${id % 100}`, name: `author ${id % 100}` },
}));

/** How often each component has rendered since the last look. */
let renders = new Map<string, number>();
const count = (name: string): void => void renders.set(name, (renders.get(name) ?? 0) + 1);
function rendered(): Map<string, number> {
  const counted = renders;
  renders = new Map();
  return counted;
}
const once = (...names: string[]): Map<string, number> => new Map(names.map((name) => [name, 1]));

const OwnRow = memo(function OwnRow({ id }: { id: string }): ReactElement {
  const post = useSuspense(posts.get, { id });
  count(id);
  return <li>{`${post.title} by ${post.author.name}`}</li>;
});
const IDS = response.map(({ id }) => id);
function OwnRows(): ReactElement {
  count('list');
  return <ul>{IDS.map((id) => <OwnRow key={id} id={id} />)}</ul>; // oxfmt-ignore
}

const Row = memo(function Row({ post }: { post: PostWithAuthor }): ReactElement {
  count(post.id);
  return <li>{`${post.title} by ${post.author.name}`}</li>;
});
function List(): ReactElement {
  const list = useSuspense(posts.getList);
  count('list');
  return <ul>{list.map((post) => <Row key={post.id} post={post} />)}</ul>; // oxfmt-ignore
}

function mount(children: ReactElement): Controller {
  const controller = new Controller({ dataExpiryLength: Infinity });
  controller.setResponse(posts.getList, response);
  render(<DataProvider controller={controller}>{children}</DataProvider>);
  expect(rendered().size).toBe(ROWS + 1);
  return controller;
}

/** The posts of one author. */
const by = (author: number): string[] => IDS.filter((_, id) => id % 100 === author);

afterEach(cleanup);

describe(`with ${ROWS} rows on screen`, () => {
  it('a change renders only the row that shows it, if each row reads its own data', () => {
    const controller = mount(<OwnRows />);
    act(() => controller.set(PostWithAuthor, { id: 'p5000' }, { title: 'changed' }));
    expect(rendered()).toEqual(once('p5000'));
    act(() => controller.set(Author, { id: 'a7' }, { name: 'renamed' }));
    expect(rendered()).toEqual(once(...by(7)));
    // No component shows this one.
    act(() => controller.set(PostWithAuthor, { id: 'elsewhere' }, { title: 'new' }));
    expect(rendered()).toEqual(new Map());
    // Nothing in it changes.
    act(() => controller.set(PostWithAuthor, { id: 'p5000' }, { title: 'changed' }));
    expect(rendered()).toEqual(new Map());
  });

  it('a change renders only the row that shows it, if the list is read once', () => {
    const controller = mount(<List />);
    act(() => controller.set(PostWithAuthor, { id: 'p5000' }, { title: 'changed' }));
    expect(rendered()).toEqual(once('list', 'p5000'));
    act(() => controller.set(Author, { id: 'a7' }, { name: 'renamed' }));
    expect(rendered()).toEqual(once('list', ...by(7)));
    act(() => controller.set(PostWithAuthor, { id: 'elsewhere' }, { title: 'new' }));
    expect(rendered()).toEqual(new Map());
  });

  it('a push renders the list and the new row; a deletion renders only the list', () => {
    const controller = mount(<List />);
    const { push } = posts.getList;
    act(() => controller.setResponse(push, { title: '' }, { id: 'new', title: 'new', author: 'a1' }));
    expect(rendered()).toEqual(once('list', 'new'));
    for (const id of ['p0', 'p5000', 'new']) {
      act(() => controller.setResponse(posts.delete, { id }, { id }));
      expect(rendered()).toEqual(once('list'));
    }
    expect(document.querySelectorAll('li')).toHaveLength(ROWS - 2);
  });
});
