import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './install.mjs';

const require = createRequire(import.meta.url);

/** The file that an installed package runs as its command, so that no shell and no PATH is needed. */
export function binary(packageName, command = packageName, folder = root) {
  const manifest = require.resolve(`${packageName}/package.json`, { paths: [folder] });
  const { bin } = require(manifest);
  return path.join(path.dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs a script with this Node and resolves with its exit code; one that hangs is ended after `timeout`
 * milliseconds. With `capture`, resolves with what it printed as well.
 */
export function node(args, { timeout = 20 * 60_000, capture = false, env = {}, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
      timeout,
    });
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    child.stderr?.on('data', (data) => (output += data));
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code, signal) => {
      if (signal !== null) console.error(`ended by ${signal}: ${args.join(' ')}`);
      resolve({ code: code ?? 1, output });
    });
  });
}
