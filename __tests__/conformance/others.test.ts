import { freshnessRows, updateRows, verbRows } from './rows/controller.ts';
import { endpointRows, requestRows } from './rows/endpoints.ts';
import { queryRows } from './rows/queries.ts';
import { testRows } from './table.ts';

testRows('a Query', queryRows);
testRows('an endpoint', endpointRows);
testRows('a request', requestRows);
testRows('a controller', verbRows);
testRows('freshness', freshnessRows);
testRows('update', updateRows);
