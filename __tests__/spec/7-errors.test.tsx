/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { Controller, createResource, NetworkError, type EntityValue } from 'holdfast';
import { ErrorBoundary, useSuspense, type ErrorFallbackProps } from 'holdfast/react';
import type { ReactElement } from 'react';
import { baseUrl, startServer } from './server.ts';
import { expectError, expectText, quietErrors, settle, show } from './show.tsx';
import { Summary } from '../support/entities.ts';

class ArticleThatNeedsBody extends Summary {
  body = '';
  static override validate(processed: EntityValue): string | undefined {
    return Object.hasOwn(processed, 'body') ? undefined : 'the body is missing';
  }
}

const ArticleResource = createResource({
  urlPrefix: baseUrl,
  path: '/articles/:id',
  schema: ArticleThatNeedsBody,
});
const getSummaries = ArticleResource.getList.extend({ schema: [Summary] });

const server = startServer();
quietErrors();

function Body(): ReactElement {
  return <p>{useSuspense(ArticleResource.get, { id: '1' }).body}</p>;
}

describe('7.1 a failed fetch of useSuspense', () => {
  it.each([404, 500])(
    'useSuspense throws a response with status %i to the boundary, with method and URL',
    async (status) => {
      server.respond('GET /articles/1', () => new Response('trouble', { status }));
      let caught: unknown;
      function Catch({ error }: ErrorFallbackProps): ReactElement {
        caught = error;
        return <p role="alert">caught</p>;
      }
      await show(
        new Controller(),
        <ErrorBoundary fallbackComponent={Catch}>
          <Body />
        </ErrorBoundary>,
      );
      await expectError();
      expect(caught).toBeInstanceOf(NetworkError);
      expect(caught).toMatchObject({ status, method: 'GET', url: `${baseUrl}/articles/1` });
      expect(server.asked).toEqual(['GET /articles/1']);
    },
  );

  it('useSuspense throws to the boundary if there is no connection', async () => {
    server.respond('GET /articles/1', () => Response.error());
    await show(new Controller(), <Body />);
    expect(await expectError()).toMatch('HF_NETWORK');
  });

  it('the nearest boundary alone catches a failed fetch', async () => {
    const boundary = (name: string) =>
      function Fallback(): ReactElement {
        return <p role="alert">{name}</p>;
      };
    await show(
      new Controller(),
      <ErrorBoundary fallbackComponent={boundary('outer')}>
        <span>beside </span>
        <ErrorBoundary fallbackComponent={boundary('inner')}>
          <Body />
        </ErrorBoundary>
      </ErrorBoundary>,
    );
    expect(await expectError()).toBe('inner');
    expect(screen.getByText('beside')).toBeTruthy();
  });
});

describe('7.2 an entity that fails validate', () => {
  it('an entity that fails validate is treated as incomplete and triggers a fetch', async () => {
    server.json('GET /articles', [{ id: '1', title: 'One' }]);
    server.json('GET /articles/1', { id: '1', title: 'One', body: 'Text' });
    const controller = new Controller();
    await controller.fetch(getSummaries);
    await show(controller, <Body />);
    await expectText('Text');
    expect(server.asked).toEqual(['GET /articles', 'GET /articles/1']);
  });

  it('an entity that passes validate triggers no fetch', async () => {
    server.json('GET /articles', [{ id: '1', title: 'One', body: 'Listed' }]);
    const controller = new Controller();
    await controller.fetch(getSummaries);
    await show(controller, <Body />);
    await settle();
    await expectText('Listed');
    expect(server.asked).toEqual(['GET /articles']);
  });

  it('an entity that stays incomplete after a fetch shows the boundary and is not fetched repeatedly', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    await show(new Controller(), <Body />);
    expect(await expectError()).toMatch(/Article.*the body is missing.*HF_INVALID_ENTITY/s);
    await settle();
    expect(server.asked).toEqual(['GET /articles/1']);
  });
});
