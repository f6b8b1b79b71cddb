/* oxlint-disable typescript/no-unsafe-call, typescript/no-unsafe-member-access -- what must not compile is called */
import type { Controller } from '../../src/controller/Controller.ts';
import { Endpoint } from '../../src/endpoint/Endpoint.ts';
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { useCache } from '../../src/react/useCache.ts';
import { useError } from '../../src/react/useError.ts';
import { useSubscription } from '../../src/react/useSubscription.ts';
import { useSuspense } from '../../src/react/useSuspense.ts';
import { Collection } from '../../src/schema/collection/Collection.ts';
import { Delete } from '../../src/schema/Delete.ts';
import { Entity } from '../../src/schema/entity/Entity.ts';
import type { Row } from '../../src/schema/entity/Row.ts';
import { Lazy } from '../../src/schema/Lazy.ts';
import { Query } from '../../src/schema/query/Query.ts';
import type { EntityClass } from '../../src/schema/Schema.ts';
import { Union } from '../../src/schema/Union.ts';
import { Values } from '../../src/schema/Values.ts';
import { User } from '../support/entities.ts';
import { assertType, type Equal } from './equal.ts';

/** A converted value, such as that of a library for decimals. */
class Money {
  readonly cents: number;

  constructor(text: string) {
    this.cents = Number(text) * 100;
  }

  plus({ cents }: Money): Money {
    return new Money(String((this.cents + cents) / 100));
  }
}
class Video extends Entity {
  id = '';
  type = 'video';
  length = 0;
  static override key = 'Video';
}
class Photo extends Entity {
  id = '';
  type = 'photo';
  width = 0;
  static override key = 'Photo';
}
class Offer extends Entity {
  id = '';
  title = '';
  seller = User.fromJS();
  price = new Money('0');
  until = new Date(0);
  shown: Video | Photo = Video.fromJS();
  byRole: Record<string, User> = {};
  bids: readonly User[] = [];
  bidCount = 0;
  watchers: string[] = [];
  size = { width: 0, unit: 'cm' };
  static override key = 'Offer';
  static override schema = {
    seller: User,
    price: (text: string) => new Money(text),
    until: Date,
    shown: new Union({ video: Video, photo: Photo }, 'type'),
    byRole: new Values(User),
    bids: new Collection([User], { nestKey: ({ id }) => ({ id }) }),
    bidCount: new Query([User], (bids) => bids.length),
    watchers: new Lazy([User]),
  };
}
/** As the types that are generated for an API are. */
interface ApiOffer {
  readonly id: string;
  readonly title: string;
  readonly seller: { readonly id: string; readonly name: string };
  readonly price: string;
  readonly until: string;
  readonly addedByTheServer: boolean;
}
declare const api: ApiOffer;
const OfferResource = createResource({ path: '/offers/:id', schema: Offer });
const FeedResource = createResource({
  path: '/feed/:id',
  schema: new Union({ video: Video, photo: Photo }, 'type'),
});

export function written(controller: Controller): void {
  controller.set(Offer, { id: '1' }, { title: 'x', until: '2026-01-01', price: '9.99' });
  controller.set(
    Offer,
    { id: '1' },
    { seller: '2', shown: { id: '3', type: 'photo', width: 5 }, bids: ['2'] },
  );
  controller.set(
    Offer,
    { id: 1 },
    { byRole: { owner: '2' }, watchers: [{ id: '2' }], bidCount: [{ id: '2' }] },
  );
  controller.set(Offer, '1', { seller: User.fromJS({ id: '2' }), price: new Money('5'), until: new Date() });
  controller.set(Offer, { seller: '2' }, api);
  controller.set([Offer], [api, { id: '2', size: { width: 5, unit: 'm' } }]);
  controller.set(new Values(Offer), { 1: api });
  controller.set(new Union({ video: Video, photo: Photo }, 'type'), { id: '1', type: 'video', length: 5 });
  controller.set(new Delete(Offer), { id: '1' });
  controller.set([new Delete(Offer)], ['1', { id: '2' }]);
  // @ts-expect-error a misspelled field
  controller.set(new Delete(Offer), { idd: '1' });
  const { schema: offers } = OfferResource.getList;
  controller.set(offers, [api]);
  controller.set(offers, { by: 'ann' }, (present) => {
    assertType<Equal<typeof present, Offer[] | undefined>>();
    return [...(present ?? []), { id: '2', title: 'x' }];
  });
  controller.set(offers.push, { by: 'ann' }, api);
  controller.set(offers.push, [api, { title: 'x' }]);
  controller.set(offers.remove, { id: '2' });
  controller.set(
    offers.moveWith((members: readonly unknown[]) => members),
    { id: '2' },
    { title: 'x' },
  );
  // What is only known as an object is not checked.
  const anything: object = { titel: 'x' };
  controller.set(Offer, { id: '1' }, anything);
  const upsert = (entity: EntityClass, row: { readonly id: string }): void =>
    controller.set(entity, { id: row.id }, row);
  upsert(Offer, { id: '1' });

  // @ts-expect-error a misspelled field
  controller.set(Offer, { id: '1' }, { titel: 'x' });
  // @ts-expect-error a field of another type
  controller.set(Offer, { id: '1' }, { title: 5 });
  // @ts-expect-error a misspelled field of a related entity
  controller.set(Offer, { id: '1' }, { seller: { nmae: 'x' } });
  // @ts-expect-error neither the converted value nor what may be converted
  controller.set(Offer, { id: '1' }, { price: true });
  // @ts-expect-error args that identify no offer
  controller.set(Offer, { idd: '1' }, { title: 'x' });
  // @ts-expect-error without args
  controller.set(Offer, { id: '1', title: 'x' });
  // @ts-expect-error a text has no fields
  controller.set(Offer, { id: '1' }, 'x');
  // @ts-expect-error one entity where a list should be
  controller.set([Offer], { id: '1' });
  // @ts-expect-error a misspelled field in a list
  controller.set([Offer], [{ id: '1', titel: 'x' }]);
  // @ts-expect-error a map where a list should be
  controller.set(offers, { a: { id: '1' } });
  // @ts-expect-error a misspelled field of a member
  controller.set(offers, [{ id: '1', titel: 'x' }]);
  // @ts-expect-error a number is no list
  controller.set(offers, () => 5);
  // @ts-expect-error a misspelled field of an added member
  controller.set(offers.push, { id: '1', titel: 'x' });
  // @ts-expect-error none of the types of the union has such a field
  controller.set(new Union({ video: Video, photo: Photo }, 'type'), { id: '1', type: 'video', height: 5 });

  User.fromJS({ id: '1' });
  // @ts-expect-error a misspelled field
  User.fromJS({ nmae: 'x' });
  // @ts-expect-error a field of another type
  User.fromJS({ id: 5 });
}

export function recipes(controller: Controller): void {
  controller.set(Offer, { id: '1' }, (draft) => {
    draft.title = 'x';
    draft.seller = '2';
    draft.seller = User.fromJS({ id: '2' });
    draft.price = '9.99';
    draft.until = '2026-01-01';
    assertType<Equal<NonNullable<typeof draft.byRole>[string], User | string>>();
    draft.byRole = { ...draft.byRole, owner: '2' };
    // A row has pks, references and the values before their conversion.
    assertType<Equal<typeof draft.bidCount, unknown>>();
    assertType<Equal<typeof draft.watchers, string[] | undefined>>();
    // @ts-expect-error a map of pks
    draft.byRole['owner']?.name.trim();
    // @ts-expect-error a text until it is read
    draft.price.plus(new Money('1'));
    // @ts-expect-error the pk of a collection
    draft.bids.length.toFixed();
    // @ts-expect-error a reference: type and pk
    draft.shown.type.trim();
    // @ts-expect-error a misspelled field
    draft.titel = 'x';
  });
  controller.set(Offer, { id: '1' }, (draft) => ({ ...draft, title: 'x' }));
  const rename = (draft: Row<Offer>): void => {
    draft.title = 'x';
    draft.shown = Photo.fromJS({ id: '5' });
  };
  controller.set(Offer, { id: '1' }, rename);
  // @ts-expect-error a recipe is synchronous
  controller.set(Offer, { id: '1' }, async (draft) => {
    draft.title = await Promise.resolve('x');
  });
}

export async function bodies(): Promise<void> {
  await OfferResource.create(api);
  await OfferResource.create({ title: 'x', price: '9.99', byRole: { owner: '2' }, watchers: [{ id: '2' }] });
  await OfferResource.update({ id: '1' }, Offer.fromJS({ id: '1' }));
  await FeedResource.create({ type: 'video', length: 5 });
  await FeedResource.create({ type: 'photo', width: 5 });
  // @ts-expect-error neither the converted value nor what may be converted
  await OfferResource.create({ price: true });
  // @ts-expect-error none of the types has such a field
  await FeedResource.create({ type: 'photo', height: 5 });
  // What arrives is not converted yet.
  const { price, until } = await OfferResource.get({ id: '1' });
  assertType<Equal<typeof price, unknown>>();
  assertType<Equal<typeof until, string>>();
}

const send = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id }), {
  name: 'send',
  sideEffect: true,
});
const read = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id }), { name: 'read' });

export function mutations(controller: Controller): void {
  const { create } = OfferResource;
  // @ts-expect-error a mutation cannot be read
  useCache(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read
  useError(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read, and would be sent again and again
  useSubscription(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read
  controller.getResponse(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read
  controller.getError(create, { title: 'x' });
  // @ts-expect-error it has no result that could be invalid
  controller.invalidate(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read
  controller.watch(create, { title: 'x' }, () => undefined);
  // @ts-expect-error a mutation cannot be read
  controller.subscribe(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read
  controller.snapshot().getResponse(create, { title: 'x' });
  // @ts-expect-error a mutation cannot be read
  useSuspense(send, { id: '1' });
  // @ts-expect-error it still is a mutation
  useSuspense(send.extend({ dataExpiryLength: 5 }), { id: '1' });
  // @ts-expect-error it has become a mutation
  useSuspense(read.extend({ sideEffect: true }), { id: '1' });
  // @ts-expect-error with its args it is a mutation, too
  useSuspense(create.bind(undefined, { title: 'x' }));
  // @ts-expect-error with its args it is a mutation, too
  useSuspense(send.bind(undefined, { id: '1' }));
  useSuspense(read, { id: '1' });
  useSuspense(read.bind(undefined, { id: '1' }));
  useSuspense(OfferResource.get.bind(undefined, { id: '1' })).title.trim();
  useSuspense(send.extend({ sideEffect: false }), { id: '1' });
  const isWrite: boolean = Math.random() > 0.5;
  useSuspense(read.extend({ sideEffect: isWrite }), { id: '1' });
  const either: Endpoint<(params: { id: string }) => Promise<{ id: string }>> = send;
  useSuspense(either, { id: '1' });
}

class CountingEndpoint<F extends (...args: never) => Promise<unknown>> extends Endpoint<F> {
  count = 0;
}
const counting = new CountingEndpoint((id: string) => Promise.resolve(id), { name: 'count' });
const countingAgain = counting.extend({ dataExpiryLength: 5 }).extend({ pollFrequency: 5 });
assertType<Equal<typeof countingAgain.count, number>>();
void new RestEndpoint({ path: '/' });
