import { createContext } from 'react';
import type { Controller } from '../controller/Controller.ts';

/** Carries the controller from `DataProvider` to the hooks. */
export const ControllerContext = createContext<Controller | undefined>(undefined);
