export {
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
export { persistQueryClient } from '@tanstack/query-persist-client-core';
