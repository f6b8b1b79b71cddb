import { Select, type EndpointInterface } from 'holdfast';
import { AsyncBoundary, useCache, useDLE, useFetch, useQuery, useSuspense } from 'holdfast/react';
import { Activity, use, type ReactElement } from 'react';
import { shown, type ScreenRead, type ScreenServer } from './ScreenServer.ts';

export type Hook = 'useSuspense' | 'useDLE' | 'useFetch' | 'useCache' | 'useQuery';

/** A place of the page, and what is mounted there. */
export interface Screen {
  readonly hook: Hook;
  readonly read: ScreenRead;
  readonly isHidden: boolean;
  /** Another one is another mount. */
  readonly key: number;
}

export type Tasks = ReturnType<ScreenServer['resource']>;

/**
 * The endpoint that a screen reads, and its args.
 *
 * @param isCreated - whether the endpoint is another object each time
 */
export function readOf(
  tasks: Tasks,
  read: ScreenRead,
  isCreated = false,
): readonly [endpoint: EndpointInterface, params: object] {
  if (read.kind === 'detail') return [isCreated ? tasks.get.extend({}) : tasks.get, { id: read.id }];
  const params = read.group === undefined ? {} : { group: read.group };
  return [isCreated ? tasks.getList.extend({}) : tasks.getList, params];
}

interface PageProps {
  readonly tasks: Tasks;
  readonly renders: Renders;
  /** Whether each render creates the endpoint that it reads. */
  readonly createsEndpoints: boolean;
  readonly screens: readonly (Screen | undefined)[];
  /** Whether each read has a boundary of its own, rather than one for all that a screen reads in turn. */
  readonly isKeyed: boolean;
  /** Called with the function that tries a failed screen again. */
  readonly onFailure: (place: number, retry: () => void) => void;
}

/** A page that shows several screens at once, each in a boundary of its own. */
export function ScreenPage({
  tasks,
  renders,
  createsEndpoints,
  screens,
  isKeyed,
  onFailure,
}: PageProps): readonly ReactElement[] {
  return screens.flatMap((screen, place) =>
    screen === undefined ? (
      []
    ) : (
      <section key={`${place} ${screen.key}`} data-place={place}>
        <Activity mode={screen.isHidden ? 'hidden' : 'visible'}>
          <AsyncBoundary
            key={isKeyed ? JSON.stringify(screen.read) : ''}
            fallback={<p>loading</p>}
            errorComponent={({ resetErrorBoundary }) => {
              onFailure(place, resetErrorBoundary);
              return <p>error</p>;
            }}
          >
            <View tasks={tasks} renders={renders} createsEndpoints={createsEndpoints} screen={screen} />
          </AsyncBoundary>
        </Activity>
      </section>
    ),
  );
}

interface ReaderProps {
  readonly tasks: Tasks;
  readonly read: ScreenRead;
  /** The endpoint, and its args. */
  readonly request: ReturnType<typeof readOf>;
}

/** How often screens were rendered since the last event. */
export interface Renders {
  count: number;
}

/**
 * Far more than any event needs. If a screen suspends while another one is suspended already, React 19.3.1 renders both
 * again and again until one of them has data, and within `act` for ever (https://github.com/facebook/react/issues/37556).
 */
const MAX_RENDERS = 500;

interface ViewProps extends Pick<PageProps, 'tasks' | 'renders' | 'createsEndpoints'> {
  readonly screen: Screen;
}

function View({ tasks, screen, renders, createsEndpoints }: ViewProps): ReactElement {
  const Reader = READERS[screen.hook];
  renders.count += 1;
  if (renders.count > MAX_RENDERS) throw new Error('React renders for ever');
  const request = readOf(tasks, screen.read, createsEndpoints);
  return <Reader tasks={tasks} read={screen.read} request={request} />;
}

const READERS: Readonly<Record<Hook, (props: ReaderProps) => ReactElement>> = {
  useSuspense: ({ request }) => <p>{shown(useSuspense(...request))}</p>,
  useDLE({ request }) {
    const { data, loading, error } = useDLE(...request);
    return <p>{loading ? 'loading' : error === undefined ? shown(data) : 'error'}</p>;
  },
  useFetch({ request }) {
    const promise = useFetch(...request);
    return <p>{shown(use(promise))}</p>;
  },
  useCache: ({ request }) => <p>{shown(useCache(...request))}</p>,
  useQuery: ({ tasks, read }) => <p>{shown(useQuery(queryOf(tasks, read)))}</p>,
};

type TaskQuery = Select<Tasks['get']['schema']>;

const queries = new WeakMap<Tasks, Map<string, TaskQuery>>();

/** A live query of what is stored, the same one each time. */
function queryOf(tasks: Tasks, read: ScreenRead): TaskQuery {
  let known = queries.get(tasks);
  if (known === undefined) queries.set(tasks, (known = new Map<string, TaskQuery>()));
  const where =
    read.kind === 'detail' ? { id: read.id } : read.group === undefined ? {} : { group: read.group };
  const key = JSON.stringify(where);
  let query = known.get(key);
  if (query === undefined) known.set(key, (query = new Select(tasks.get.schema, { where })));
  return query;
}
