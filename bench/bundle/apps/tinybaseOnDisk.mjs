export { createStore } from 'tinybase';
export { createIndexedDbPersister } from 'tinybase/persisters/persister-indexed-db';
export { Provider, useRow, useRowIds } from 'tinybase/ui-react';
