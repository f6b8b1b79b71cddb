import { useSuspense } from 'holdfast/react';
import { LabelResource } from '../model/Label.ts';
import { PersonResource } from '../model/Person.ts';
import { statuses } from '../model/statuses.ts';
import { countFilters, type Filters } from '../routing/filters.ts';
import { Link } from '../routing/Link.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Select } from '../ui/Select.tsx';
import { SearchField } from './SearchField.tsx';

const tabs = [
  { id: 'open', name: 'Open' },
  { id: 'active', name: 'Active' },
  { id: 'closed', name: 'Closed' },
  { id: 'all', name: 'All' },
];
const orders = [
  { id: '-updatedAt', name: 'Sort: updated last' },
  { id: 'updatedAt', name: 'Sort: longest untouched' },
  { id: '-createdAt', name: 'Sort: newest' },
  { id: 'createdAt', name: 'Sort: oldest' },
  { id: 'priority', name: 'Sort: priority' },
];

/** What narrows and orders the list. It all lives in the address, so it can be shared and gone back to. */
export function FilterBar({
  filters,
  hrefFor,
  onChange,
}: {
  filters: Filters;
  hrefFor: (filters: Filters) => string;
  onChange: (filters: Filters, options?: { replace: boolean }) => void;
}) {
  const change = (part: Partial<Filters>, options?: { replace: boolean }) => {
    onChange({ ...filters, page: 1, ...part }, options);
  };
  return (
    <div className="filters" role="search" aria-label="Issues">
      <div className="tabs">
        {tabs.map(({ id, name }) => (
          <Link
            key={id}
            className="tab"
            href={hrefFor({ ...filters, status: id, page: 1 })}
            aria-current={filters.status === id ? 'true' : undefined}
          >
            {name}
          </Link>
        ))}
      </div>
      <SearchField
        value={filters.q}
        onChange={(q) => {
          change({ q }, { replace: true });
        }}
      />
      <div className="filter-selects">
        <Select
          label="Status"
          value={tabs.some(({ id }) => id === filters.status) ? '' : filters.status}
          choices={[{ id: '', name: 'Status' }, ...statuses]}
          active={!tabs.some(({ id }) => id === filters.status)}
          onChange={(status) => {
            change({ status: status || 'open' });
          }}
        />
        <Boundary resetKey="" fallback={<NotLoaded />} onError={<NotLoaded />}>
          <PeopleAndLabels filters={filters} change={change} />
        </Boundary>
        <Select
          className="filter-order"
          label="Order"
          value={filters.sort}
          choices={orders}
          onChange={(sort) => {
            change({ sort });
          }}
        />
        {/* Keeps its place, so that nothing else moves. */}
        <button
          type="button"
          className="icon-button clear-filters"
          disabled={countFilters(filters) === 0}
          aria-label="Clear the filters"
          title="Clear the filters"
          onClick={() => {
            change({ assignee: '', label: '', q: '' });
          }}
        >
          <Icon name="close" />
        </button>
      </div>
    </div>
  );
}

/** In the place of the two, so that the rest does not move when they are loaded. */
function NotLoaded() {
  return (
    <>
      {['Assignee', 'Label'].map((name) => (
        <Select
          key={name}
          label={name}
          value=""
          choices={[{ id: '', name }]}
          disabled
          onChange={() => undefined}
        />
      ))}
    </>
  );
}

function PeopleAndLabels({
  filters,
  change,
}: {
  filters: Filters;
  change: (part: Partial<Filters>) => void;
}) {
  const people = useSuspense(PersonResource.getList);
  const labels = useSuspense(LabelResource.getList);
  return (
    <>
      <Select
        label="Assignee"
        value={filters.assignee}
        choices={[{ id: '', name: 'Assignee' }, { id: 'none', name: 'Nobody' }, ...people]}
        active={filters.assignee !== ''}
        onChange={(assignee) => {
          change({ assignee });
        }}
      />
      <Select
        label="Label"
        value={filters.label}
        choices={[{ id: '', name: 'Label' }, ...labels]}
        active={filters.label !== ''}
        onChange={(label) => {
          change({ label });
        }}
      />
    </>
  );
}
