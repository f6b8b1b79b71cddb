import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const run = (script: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe.each(['demo/start.mjs', 'demo/server/main.mjs'])('%s', (script) => {
  it.each([
    [['--port', 'abc'], "--port needs a whole number up to 65535, not 'abc'"],
    [['--port', '70000'], "--port needs a whole number up to 65535, not '70000'"],
    [['--latency', '-1'], "Option '--latency' argument is ambiguous"],
    [['--prot', '1'], "Unknown option '--prot'"],
  ])('explains what is wrong with %j, without a stack', (args, reason) => {
    const { status, stdout, stderr } = run(script, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain(`Usage: node ${script} [--port`);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it('prints its usage for --help', () => {
    const { status, stdout, stderr } = run(script, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`node ${script} [--port`);
  });
});
