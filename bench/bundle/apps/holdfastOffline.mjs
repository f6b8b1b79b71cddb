export { Controller, createResource, Entity } from 'holdfast';
export { DataProvider, useSuspense } from 'holdfast/react';
export { indexedDB } from 'holdfast/indexeddb';
export { outbox } from 'holdfast/outbox';
export { tabs } from 'holdfast/tabs';
