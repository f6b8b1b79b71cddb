// The default of the next major version. The app works with and without.
const cacheComponents = process.env.CACHE_COMPONENTS !== 'false';

/** @type {import('next').NextConfig} */
export default {
  cacheComponents,
  partialPrefetching: cacheComponents,
  // This folder, though there is a lockfile around it, too.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
};
