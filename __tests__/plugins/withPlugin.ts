import { afterEach } from '@jest/globals';
import { Controller, RestEndpoint, type Plugin } from 'holdfast';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
import { prefix } from '../support/server.ts';

/** A read and a mutation over HTTP. */
export const getArticle = new RestEndpoint({ urlPrefix: prefix, path: '/article/:id' });
export const getOther = new RestEndpoint({ urlPrefix: prefix, path: '/other/:id' });
export const save = new RestEndpoint({ urlPrefix: prefix, path: '/article/:id', method: 'PUT' });

const started: Controller[] = [];

// A request that waits for a retry keeps the process alive.
afterEach(async () => {
  await Promise.all(started.splice(0).map((controller) => controller.stop()));
});

/** A controller with one plugin, whose time and device the test moves. */
export function withPlugin(plugin: Plugin) {
  const time = new FakeTime(Date.UTC(2026, 0, 1));
  const environment = new FakeEnvironment();
  const controller = new Controller({
    now: time.now,
    schedule: time.schedule,
    environment,
    plugins: [plugin],
  });
  started.push(controller);
  return { time, environment, controller };
}
