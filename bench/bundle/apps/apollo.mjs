export { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
export { ApolloProvider, useMutation, useSuspenseQuery } from '@apollo/client/react';
