import { describe, expect, it } from '@jest/globals';
import { run } from './consumer.ts';

/** A program against a REST server of its own, which ends only if nothing of the library keeps it alive. */
const program = `
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: request.url.split('/').at(-1), title: 'From ' + request.method }));
  });
  server.listen(0, '127.0.0.1', async () => {
    class Article extends Entity {
      id = '';
      title = '';
      static key = 'Article';
    }
    const urlPrefix = 'http://127.0.0.1:' + server.address().port;
    const { get, update } = createResource({ path: '/articles/:id', schema: Article, urlPrefix });
    const controller = new Controller();
    const seen = [];
    controller.watch(get, { id: '1' }, (article) => seen.push(article.title));
    await controller.fetch(get, { id: '1' });
    await controller.fetch(update, { id: '1' }, { title: 'x' });
    const page = new Controller({ initialState: deserialize(serialize(controller)) });
    controller.subscribe(get.extend({ pollFrequency: 60_000 }), { id: '1' });
    server.close();
    server.closeAllConnections();
    console.log(JSON.stringify({ seen, page: page.get(Article, { id: '1' }).title, react: loadedReact() }));
  });
`;

const names = 'Controller, createResource, deserialize, Entity, serialize';

describe('a controller in plain Node', () => {
  const expected = { seen: ['From GET', 'From PUT'], page: 'From PUT', react: false };

  it('a controller works without React, from endpoint to serialized state, and keeps no process alive', () => {
    const commonjs = `
      const { ${names} } = require('holdfast');
      const { createServer } = require('node:http');
      const loadedReact = () => Object.keys(require.cache).some((file) => /node_modules.react/.test(file));`;
    expect(run('commonjs', commonjs + program)).toEqual(expected);
  });

  it('a controller works in plain Node as an ES module', () => {
    const esm = `
      import { ${names} } from 'holdfast';
      import { createServer } from 'node:http';
      const loadedReact = () => false;`;
    expect(run('module', esm + program)).toEqual(expected);
  });

  it('a program does not end while a request waits for a retry, also if the timer of that is late', () => {
    const retrying = `
      const { Controller, Endpoint, retry } = require('holdfast');
      let count = 0;
      const get = new Endpoint(async () => {
        if ((count += 1) === 1) throw Object.assign(new Error('Busy'), { status: 503 });
        return count;
      }, { name: 'get' });
      // As the controller's own, it does not keep the process alive.
      const schedule = (run, delay) => {
        const timer = setTimeout(run, delay + 50).unref();
        return () => clearTimeout(timer);
      };
      const controller = new Controller({ plugins: [retry({ delay: () => 10 })], schedule });
      controller.fetch(get).then((value) => console.log(value));`;
    expect(run('commonjs', retrying)).toBe(2);
  });
});
