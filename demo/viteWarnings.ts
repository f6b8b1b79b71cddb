import type { BuildEnvironmentOptions } from 'vite';

/** Hides two warnings of a build that say nothing about this app. */
export const withoutNoise: NonNullable<BuildEnvironmentOptions['rolldownOptions']> = {
  checks: { bundlerTimings: false },
  // "use client" is for bundlers with server components.
  onLog: (level, log, handle) => {
    if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
  },
};
