import { createContext } from 'react';
import type { Controller } from '../controller/Controller.ts';

/** Provides the controller of `DataProvider` to the hooks. */
export const ControllerContext = createContext<Controller | undefined>(undefined);
