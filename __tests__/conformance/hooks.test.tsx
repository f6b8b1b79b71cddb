/** @jest-environment jest-fixed-jsdom */
import { testHooks } from './hooks.tsx';
import { hookRows, suspenseRows } from './rows/hooks.tsx';

testHooks('useSuspense', suspenseRows);
testHooks('a hook', hookRows);
