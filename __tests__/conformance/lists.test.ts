import { collectionRows, pageRows, resourceRows } from './rows/lists.ts';
import { testRows } from './table.ts';

testRows('a list of a resource', resourceRows);
testRows('a page', pageRows);
testRows('a Collection', collectionRows);
