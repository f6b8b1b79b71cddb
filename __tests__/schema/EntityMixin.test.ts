import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity, EntityMixin, hasOwnKey } from 'holdfast';

class Account {
  username = '';
  age = 0;
  get initial(): string {
    return this.username.charAt(0);
  }
}
class AccountEntity extends EntityMixin(Account, { pk: 'username', key: 'Account', indexes: ['age'] }) {}
class Post extends Entity {
  id = '';
  author = AccountEntity.fromJS();
  static override key = 'Post';
  static override schema = { author: AccountEntity };
}

describe('EntityMixin', () => {
  it('EntityMixin creates an entity of a class, with its members and defaults', () => {
    const controller = new Controller();
    controller.set(Post, { id: 1 }, { author: { username: 'ann' } });
    const account = controller.get(AccountEntity, { username: 'ann' });
    expect(account).toBeInstanceOf(Account);
    expect(account).toBeInstanceOf(AccountEntity);
    expect(account).toMatchObject({ initial: 'a', age: 0 });
    expect(controller.get(Post, { id: 1 })?.author).toBe(account);
    controller.set(AccountEntity, 'ann', { username: 'ann', age: 7 });
    expect(controller.get(AccountEntity, { age: 7 })?.username).toBe('ann');
    expect('mergeWithStore' in Account).toBe(false);
  });

  it('a denormalized EntityMixin instance is written back as its row', () => {
    const controller = new Controller();
    controller.set(AccountEntity, 'bob', { username: 'bob' });
    const bob = controller.get(AccountEntity, 'bob');
    controller.set(Post, { id: 2 }, { author: bob });
    expect(controller.getState().tables['Account']?.get('bob')?.value).toEqual({ username: 'bob' });
  });

  it('EntityMixin accepts a function, or the pk or id of the class', () => {
    class Named {
      id = '';
      pk(): string {
        return `own ${this.id}`;
      }
    }
    const ByFunction = EntityMixin(Account, { pk: ({ username }) => `@${username}` });
    expect(ByFunction.pk({ username: 'x' })).toBe('@x');
    expect(EntityMixin(Named).pk({ id: 'x' })).toBe('own x');
    class Plain {
      id = 0;
    }
    expect(EntityMixin(Plain).pk({ id: 5 })).toBe('5');
  });

  it('EntityMixin accepts static members of an entity as options', () => {
    const Cleaned = EntityMixin(Account, {
      pk: 'username',
      key: 'Account',
      process: (input) => ({ age: 1, ...(input as Partial<Account>) }),
      merge: (existing, incoming) => ({ ...incoming, ...existing }),
      validate: ({ age }) => (age === 0 ? 'too young' : undefined),
    });
    const controller = new Controller();
    const getAccount = new Endpoint(async (): Promise<unknown> => null, {
      name: 'getAccount',
      schema: Cleaned,
    });
    controller.setResponse(getAccount, { username: 'ann' });
    controller.setResponse(getAccount, { username: 'ann', age: 9 });
    expect(controller.get(Cleaned, 'ann')?.age).toBe(1);
    controller.setResponse(getAccount, { username: 'bob', age: 0 });
    expect(controller.get(Cleaned, 'bob')).toBeUndefined();
  });

  it('EntityMixin has the class name as its default key, which is not explicit', () => {
    expect(EntityMixin(Account).key).toBe('Account');
    expect(hasOwnKey(EntityMixin(Account))).toBe(false);
    expect(hasOwnKey(AccountEntity)).toBe(true);
  });
});
