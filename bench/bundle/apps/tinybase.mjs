export { createStore } from 'tinybase';
export { Provider, useRow, useRowIds } from 'tinybase/ui-react';
