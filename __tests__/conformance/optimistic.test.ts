import { pendingRows, settledRows } from './rows/optimistic.ts';
import { testRows } from './table.ts';

testRows('an optimistic update that is pending', pendingRows);
testRows('an optimistic update that was answered', settledRows);
