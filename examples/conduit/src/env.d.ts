/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Where the API is. Default: where `start.mjs` starts it. */
  readonly VITE_API?: string;
}
