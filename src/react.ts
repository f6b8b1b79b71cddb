export { AsyncBoundary, type AsyncBoundaryProps } from './react/AsyncBoundary.tsx';
export { DataProvider, type DataProviderProps } from './react/DataProvider.tsx';
export { ErrorBoundary, type ErrorBoundaryProps, type ErrorFallbackProps } from './react/ErrorBoundary.tsx';
export { useCache } from './react/useCache.ts';
export { useController } from './react/useController.ts';
export { useQuery } from './react/useQuery.ts';
export { useSuspense } from './react/useSuspense.ts';
