import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { TaskResource } from './resources';

export const box = outbox({ endpoints: [TaskResource] });

/** The same in pages and in the service worker: they share disk and outbox. */
export const controller = new Controller({
  plugins: [
    indexedDB({ name: 'tasks', persist: 'all' }),
    box,
    tabs({ name: 'tasks' }),
  ],
});
