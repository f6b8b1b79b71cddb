import { deletionRows, mergeRows, shapeRows } from './rows/schemas.ts';
import { testRows } from './table.ts';

testRows('a response', shapeRows);
testRows('a deletion', deletionRows);
testRows('several responses', mergeRows);
