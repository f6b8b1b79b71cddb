export { QueryClient } from '@tanstack/query-core';
export { queryCollectionOptions } from '@tanstack/query-db-collection';
export { createCollection, useLiveSuspenseQuery } from '@tanstack/react-db';
