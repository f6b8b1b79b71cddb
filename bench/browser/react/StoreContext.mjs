import { createContext } from 'react';

/** Gives the components the store of the library that is measured. */
export const StoreContext = createContext(undefined);
