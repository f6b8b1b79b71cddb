/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { Controller, type Plugin, type PluginStatus } from 'holdfast';
import { useStatus } from '../../src/react/useStatus.ts';

function counting(): {
  plugin: Plugin;
  status: PluginStatus<number>;
  add(): void;
  listeners: Set<() => void>;
} {
  let count = 0;
  const listeners = new Set<() => void>();
  const status: PluginStatus<number> = {
    get: () => count,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const add = (): void => {
    count += 1;
    for (const listener of listeners) listener();
  };
  return { plugin: { name: 'counter', status }, status, add, listeners };
}

describe('useStatus', () => {
  it('useStatus shows the status of a plugin, as it changes', () => {
    const { status, add, listeners } = counting();
    function Count() {
      return <p>count {useStatus(status)}</p>;
    }
    const { unmount } = render(<Count />);
    expect(screen.getByText('count 0')).toBeTruthy();
    act(add);
    expect(screen.getByText('count 1')).toBeTruthy();
    unmount();
    expect(listeners.size).toBe(0);
  });

  it('useStatus finds the status by the name of the plugin', () => {
    const { plugin, status } = counting();
    const controller = new Controller({ plugins: [plugin, { name: 'quiet' }] });
    expect(controller.status('counter')).toBe(status);
    function Statuses() {
      const useText = (name: string) => String(useStatus(controller.status(name)));
      return <p>{`${useText('counter')} ${useText('quiet')} ${useText('none')}`}</p>;
    }
    render(<Statuses />);
    expect(screen.getByText('0 undefined undefined')).toBeTruthy();
  });

  it('useStatus hydrates what the server rendered, whatever the current status of the plugin', async () => {
    const { status, add } = counting();
    const Count = () => <p>count {useStatus({ ...status, initial: 0 })}</p>;
    const root = document.createElement('div');
    root.innerHTML = renderToString(<Count />);
    add();
    const mismatches: unknown[] = [];
    const onRecoverableError = (error: unknown) => void mismatches.push(error);
    const hydrated = await act(async () => hydrateRoot(root, <Count />, { onRecoverableError }));
    expect(mismatches).toEqual([]);
    expect(root.textContent).toBe('count 1');
    act(() => hydrated.unmount());
  });
});
