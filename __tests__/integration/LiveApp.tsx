import { AsyncBoundary, useCache, useDLE, useLive, useSubscription, useSuspense } from 'holdfast/react';
import { Activity, type ReactElement } from 'react';
import type { LiveServer, Quote, Ticker } from './LiveServer.ts';

export type LiveHook = 'useLive' | 'useDLE' | 'useCache' | 'useSuspense';

/** How often a screen has its quote polled, in ms; 0 if it does not. */
export const FREQUENCIES = [0, 1_000, 2_500, 7_000] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** What is mounted at a place of the page. */
export interface LiveScreen {
  readonly hook: LiveHook;
  /** Undefined for one that reads nothing. */
  readonly symbol: Ticker | undefined;
  readonly frequency: Frequency;
  readonly isHidden: boolean;
  /** Another one is another mount. */
  readonly key: number;
}

type GetQuote = ReturnType<LiveServer['endpoints']>['get'];

/** What all screens of a page share. */
export interface LiveContext {
  /** The endpoint that polls this often: the same one each time, or another object. */
  readonly endpointFor: (frequency: Frequency) => GetQuote;
  /** Called at each render of a screen. */
  readonly onRender: () => void;
  /** Called with the function that tries a failed screen again. */
  readonly onFailure: (place: number, retry: () => void) => void;
}

interface PageProps {
  readonly context: LiveContext;
  readonly screens: readonly (LiveScreen | undefined)[];
}

/** Several screens at once, each in a boundary of its own. */
export function LiveScreens({ context, screens }: PageProps): readonly ReactElement[] {
  return screens.flatMap((screen, place) =>
    screen === undefined ? (
      []
    ) : (
      <section key={`${place} ${screen.key}`} data-place={place}>
        <Activity mode={screen.isHidden ? 'hidden' : 'visible'}>
          <AsyncBoundary
            fallback={<p>waiting</p>}
            errorComponent={({ resetErrorBoundary }) => {
              context.onFailure(place, resetErrorBoundary);
              return <p>error</p>;
            }}
          >
            <View context={context} screen={screen} />
          </AsyncBoundary>
        </Activity>
      </section>
    ),
  );
}

interface ReaderProps {
  readonly get: GetQuote;
  readonly params: { readonly symbol: Ticker } | null;
}

function View({ context, screen }: { context: LiveContext; screen: LiveScreen }): ReactElement {
  const Reader = READERS[screen.hook];
  context.onRender();
  const params = screen.symbol === undefined ? null : { symbol: screen.symbol };
  return <Reader get={context.endpointFor(screen.frequency)} params={params} />;
}

const READERS: Readonly<Record<LiveHook, (props: ReaderProps) => ReactElement>> = {
  useLive: ({ get, params }) => <p>{shown(useLive(get, params))}</p>,
  useDLE({ get, params }) {
    useSubscription(get, params);
    const { data, loading, error } = useDLE(get, params);
    return <p>{loading ? 'waiting' : error === undefined ? shown(data) : 'error'}</p>;
  },
  useCache({ get, params }) {
    useSubscription(get, params);
    return <p>{shown(useCache(get, params))}</p>;
  },
  useSuspense: ({ get, params }) => <p>{shown(useSuspense(get, params))}</p>,
};

/** The text of a quote. */
export function shown(quote: Quote | undefined): string {
  return quote === undefined ? 'nothing' : `${quote.symbol}=${quote.text}`;
}
