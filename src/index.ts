export { decodeText, encodeText } from './util/encoding.ts';
export { HoldfastError, type ErrorCode } from './util/errors.ts';
export { Entity, hasOwnKey } from './schema/entity/Entity.ts';
export {
  EntityFromSchema,
  type EntityFromSchemaOptions,
  type FieldsOf,
} from './schema/entity/EntityFromSchema.ts';
export { EntityMixin, type EntityMixinOptions, type MixedEntity } from './schema/entity/EntityMixin.ts';
export { Delete, Delete as Invalidate } from './schema/Delete.ts';
export { All } from './schema/query/All.ts';
export { ArraySchema } from './schema/ArraySchema.ts';
export {
  Collection,
  unshift,
  type CollectionFilter,
  type CollectionOptions,
  type CollectionSchema,
} from './schema/collection/Collection.ts';
export { CollectionChange } from './schema/collection/CollectionChange.ts';
export type { CollectionPage } from './schema/collection/CollectionPage.ts';
export { Lazy, type LazyQuery, type LazyValue } from './schema/Lazy.ts';
export { Query } from './schema/query/Query.ts';
export type { EntityQuery, QueryArgs } from './schema/query/queryArgs.ts';
export { QueryEach } from './schema/query/QueryEach.ts';
export { Scalar, type ScalarOptions } from './schema/Scalar.ts';
export { Aggregate, type AggregateOptions } from './schema/select/Aggregate.ts';
export { Select, type SelectOptions } from './schema/select/Select.ts';
export type {
  AggregateOf,
  AggregateValues,
  FieldCondition,
  Operators,
  OrderBy,
  SelectSource,
  SortDirection,
  TextOperators,
  Where,
} from './schema/select/types.ts';
export { Union, type Discriminator, type EntityOrUnion, type UnionMembers } from './schema/Union.ts';
export { Values } from './schema/Values.ts';
export { validateRequired } from './schema/entity/validateRequired.ts';
export type { EntityBody } from './schema/entity/EntityBody.ts';
export type { Row } from './schema/entity/Row.ts';
export { isOlder } from './schema/order.ts';
export { references } from './schema/references.ts';
export type { EntityValue, Invalidity, Meta } from './schema/Meta.ts';
export type {
  Converter,
  MembersChange,
  ChangeMembers,
  CollectionUpdate,
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  Lens,
  Lookup,
  NormalizeVisitor,
  ObjectSchema,
  Passthrough,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
  Stored,
  QueryIndex,
  QueryPart,
} from './schema/Schema.ts';
export { createResource } from './endpoint/rest/createResource.ts';
export {
  Endpoint,
  type EndpointExtension,
  type EndpointFunction,
  type EndpointMembers,
  type EndpointThis,
  type ExtendedEndpoint,
} from './endpoint/Endpoint.ts';
export type { EndpointArgs, EndpointData, EndpointInterface } from './endpoint/EndpointInterface.ts';
export type { ListTarget, EndpointError, EndpointOptions, ErrorPolicy } from './endpoint/EndpointOptions.ts';
export type { AsyncFunction } from './endpoint/endpointTypes.ts';
export { hookifyResource, type HookedResource } from './endpoint/rest/hookifyResource.ts';
export { NetworkError, type NetworkErrorDetails } from './endpoint/http/NetworkError.ts';
export type { Content } from './endpoint/http/readResponse.ts';
export type { PathParams, PathValue, ShortenPath } from './endpoint/url/pathTypes.ts';
export { mergeRequestInit } from './endpoint/http/requestInit.ts';
export type {
  ExtendedResource,
  Resource,
  ResourceEndpoints,
  ResourceExtend,
  ResourceOf,
  ResourceOptions,
} from './endpoint/rest/resourceTypes.ts';
export { RestEndpoint, type ExtendedRestEndpoint } from './endpoint/rest/RestEndpoint.ts';
export type { Method, RestEndpointOptions } from './endpoint/rest/RestEndpointOptions.ts';
export type { StandardSchema } from './util/standardSchema.ts';
export type {
  Raw,
  RestArgs,
  RestExtension,
  RestOptionArgs,
  RestParams,
  RestValue,
} from './endpoint/rest/restTypes.ts';
export { searchParamsToString, type SearchScalar, type SearchValue } from './endpoint/url/searchParams.ts';
export type { Snapshot } from './endpoint/Snapshot.ts';
export { ExpiryStatus } from './store/expiry.ts';
export { errorStatus, isUnanswered } from './util/errorStatus.ts';
export type { Changes } from './store/changes.ts';
export type { Action, Commit, LayerId, SideRecords } from './store/Commit.ts';
export { orderAt } from './store/OrderClock.ts';
export { RENAMES, renamedTo } from './store/renames.ts';
export { isDerivedList, withListChange, type ListChange } from './store/lazyListRow.ts';
export type { StoredResult, StoredRow, State } from './store/State.ts';
export type { Table } from './store/Table.ts';
export {
  Controller,
  type ControllerOptions,
  type AnyPlugin,
  type InitialState,
  type MutationPlugin,
  type Plugin,
  type ResetOptions,
  type StoragePlugin,
} from './controller/Controller.ts';
export type { ApplyOptions } from './controller/plugins/applyRestored.ts';
export type {
  ArgsAnd,
  CollectionValue,
  ReadArgs,
  CachedResponse,
  SetArgs,
  SetTarget,
  SetValue,
  EntitiesToSet,
} from './controller/verbTypes.ts';
export type { CreatedRow, Mutation, StoreResponse } from './controller/writes/Mutation.ts';
export { Mutations, type MutationChange } from './controller/writes/Mutations.ts';
export { isTemporaryPk, replaceTemporaryPks } from './store/temporaryPks.ts';
export {
  browserEnvironment,
  onEnvironmentChange,
  type Environment,
  type EnvironmentChange,
} from './controller/Environment.ts';
export type { Schedule } from './controller/schedule.ts';
export { backoff, retryAfter, type BackoffOptions } from './plugins/backoff.ts';
export { logout, type LogoutOptions } from './plugins/logout.ts';
export type { Reachability } from './plugins/ServerReachability.ts';
export { reachability, type ReachabilityOptions, type ReachabilityPlugin } from './plugins/reachability.ts';
export { refetchOn, type RefetchOnOptions } from './plugins/refetchOn.ts';
export { retry, type RetryOptions } from './plugins/retry.ts';
export type { KeyTest } from './controller/reads/invalidate.ts';
export type { InitialStateOf, HydrationSource } from './controller/requests/HydrationSource.ts';
export { deserialize } from './ssr/deserialize.ts';
export { hydrateState } from './ssr/hydrateState.ts';
export { serialize } from './ssr/serialize.ts';
export { stateReadable } from './ssr/stateReadable.ts';
export { stateWritable, type HtmlWritable } from './ssr/stateWritable.ts';
export { streamedState, streamedStateSync } from './ssr/streamedState.ts';
export type { MountedQuery } from './views/LiveQueries.ts';
export type {
  MountedRead,
  PluginOf,
  PluginRequest,
  PluginStatus,
  Read,
  Unsent,
} from './controller/plugins/Plugin.ts';
export type { AnyPluginOf } from './controller/plugins/PluginHost.ts';
export type { MutationPluginOf } from './controller/plugins/MutationPlugin.ts';
export type {
  Restored,
  RestoreQuery,
  ResultRevision,
  StoragePluginOf,
} from './controller/plugins/StoragePlugin.ts';
