export { createResource, Entity } from '@data-client/rest';
export { CacheProvider, Controller, useController, useSuspense } from '@data-client/react';
