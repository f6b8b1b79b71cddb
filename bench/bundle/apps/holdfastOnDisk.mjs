export { Controller, createResource, Entity } from 'holdfast';
export { DataProvider, useSuspense } from 'holdfast/react';
export { indexedDB } from 'holdfast/indexeddb';
