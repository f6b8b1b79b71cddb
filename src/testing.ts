export type { Fixture } from './testing/Fixture.ts';
export { mockRequests, type MockRequestsOptions } from './testing/mockRequests.ts';
export { MockResolver, type MockResolverProps } from './testing/MockResolver.tsx';
export { offline, online } from './testing/offline.ts';
export {
  renderDataHook,
  type RenderDataHookOptions,
  type RenderedDataHook,
} from './testing/renderDataHook.tsx';
export { storeFixtures } from './testing/storeFixtures.ts';
