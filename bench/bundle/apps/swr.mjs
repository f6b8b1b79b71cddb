export { default as useSWR, SWRConfig, useSWRConfig } from 'swr';
export { default as useSWRMutation } from 'swr/mutation';
