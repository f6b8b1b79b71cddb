import { expect, it } from '@jest/globals';
import { readPages } from './blocks.ts';

/** What the packages export as values: core, react, rest, endpoint, normalizr and test, from 0.9 on. */
const DATA_CLIENT =
  'Array BackupLoading Collection Controller ControllerContext AsyncBoundary AbortOptimistic All DataProvider ' +
  'DefaultConnectionListener DevToolsManager Endpoint Entity EntityMixin ErrorBoundary ExpiryStatus ExtendableEndpoint ' +
  'GCPolicy INVALID ImmortalGCPolicy Index Invalidate Lazy LogoutManager MemoCache MockController MockProvider ' +
  'MockResolver NetworkError NetworkErrorBoundary NetworkManager PollingSubscription Query ResetError RestEndpoint ' +
  'StateContext StoreContext SubscriptionManager Union UniversalSuspense Values WeakEntityMap __INTERNAL__ actionTypes ' +
  'applyManager buildQueryKey createFetch createReducer createResource createSet denormalize denormalizeCached ' +
  'getDefaultManagers getUrlBase getUrlTokens hookifyResource inferResults initialState isEntity makeRenderDataHook ' +
  'mockInitialState normalize renderDataHook resource schema useCache useCancelling useController useDLE useDebounce ' +
  'useError useFetch useLive useLoading usePromisifiedDispatch useQuery useSubscription useSuspense validateRequired';

/** What they export as types. */
const TYPES =
  'AbstractInstanceType ActionTypes AddEndpoint ArrayElement CustomResource DataClientDispatch Defaults Denormalize ' +
  'DenormalizeCache DenormalizeNullable DevToolsConfig DevToolsPosition EndpointExtendOptions EndpointExtraOptions ' +
  'EndpointInstance EndpointInstanceInterface EndpointInterface EndpointOptions EndpointParam EndpointToFunction ' +
  'EndpointUpdateFunction EntityInterface EntityTable ErrorTypes ExpireAllAction ExpiryStatusInterface ExtendedResource ' +
  'FetchAction FetchFunction FetchGet FetchMeta FetchMutate FromFallBack GCAction GenericDispatch GetEndpoint HookResource ' +
  'HookableEndpointInterface IndexInterface IndexParams InferReturn InvalidateAction InvalidateAllAction KeysToArgs ' +
  'KeyofEndpointInstance KeyofRestEndpoint Manager MethodToSide Middleware MutateEndpoint Normalize NormalizeNullable ' +
  'NormalizeReturnType NormalizedIndex NormalizedSchema OptimisticAction OptimisticUpdateParams OptionsToFunction PK ' +
  'PaginationEndpoint PaginationFieldEndpoint ParamFetchNoBody ParamFetchWithBody PartialRestGenerics Path PathArgs ' +
  'PathArgsAndSearch PathKeys PolymorphicInterface ProviderProps ReadEndpoint ResetAction ResolveType Resource ' +
  'ResourceEndpointExtensions ResourceExtension ResourceGenerics ResourceInterface ResourceOptions RestEndpointConstructor ' +
  'RestEndpointConstructorOptions RestEndpointExtendOptions RestEndpointOptions RestExtendedEndpoint RestFetch RestGenerics ' +
  'RestInstance RestInstanceBase RestType RestTypeNoBody RestTypeWithBody ResultEntry Schema SchemaClass SchemaSimple ' +
  'SchemaToArgs Serializable SetAction SetActionError SetActionSuccess SetMeta SetTypes ShortenPath SnapshotInterface State ' +
  'Store SubscribeAction UnknownError UnsubscribeAction UpdateFunction';

/** What the packages exported as long as they were called Rest Hooks. */
const REST_HOOKS =
  'BaseResource CacheProvider DispatchContext ExternalCacheProvider FetchShape FlatEntity HookableResource MutateShape ' +
  'NestedEntity PromiseifyMiddleware ReadShape Resource SimpleRecord SimpleResource hasUsableData makeRenderRestHook ' +
  'mapMiddleware reducer useDenormalized useExpiresAt useFetchDispatcher useFetcher useInvalidateDispatcher ' +
  'useInvalidator useMeta useResetter useResource useRetrieve useSelection useStatefulResource';

it('docs/fromDataClient.md lists every exported name of Data Client in its first column', () => {
  const page = readPages().get('docs/fromDataClient.md') ?? '';
  const column = [...page.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell).join(' ');
  const named = new Set([...column.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const missing = `${DATA_CLIENT} ${TYPES} ${REST_HOOKS}`.split(' ').filter((name) => !named.has(name));
  expect(missing).toEqual([]);
});
