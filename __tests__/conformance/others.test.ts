import { freshnessRows, updateRows, verbRows } from './rows/controller.ts';
import { endpointRows, requestRows } from './rows/endpoints.ts';
import { lazyRows, scalarRows } from './rows/lazy.ts';
import { formRows, pathRows } from './rows/paths.ts';
import { queryRows } from './rows/queries.ts';
import { testRows } from './table.ts';

testRows('a Query', queryRows);
testRows('a Lazy relation', lazyRows);
testRows('a Scalar', scalarRows);
testRows('lists at several paths', pathRows);
testRows('a form', formRows);
testRows('an endpoint', endpointRows);
testRows('a request', requestRows);
testRows('a controller', verbRows);
testRows('freshness', freshnessRows);
testRows('update', updateRows);
