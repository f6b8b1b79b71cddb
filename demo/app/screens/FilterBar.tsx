import { useSuspense } from 'holdfast/react';
import { useId, useState } from 'react';
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
  { id: '-updatedAt', name: 'Recently updated' },
  { id: 'updatedAt', name: 'Least recently updated' },
  { id: '-createdAt', name: 'Newest' },
  { id: 'createdAt', name: 'Oldest' },
  { id: 'priority', name: 'Priority' },
];

/** Filters, search and order of the list. All of them are in the address, so they can be shared and the back button works. */
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
  // Only a narrow list hides the filters behind a button (styles/list.css).
  const [isOpen, setIsOpen] = useState(false);
  const selects = useId();
  const chosen = countFilters({ ...filters, q: '' }) + (isOneStatus(filters) ? 1 : 0);
  return (
    <div className={`filters${isOpen ? ' is-open' : ''}`} role="search" aria-label="Issues">
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
      <button
        type="button"
        className="button filters-button"
        aria-expanded={isOpen}
        aria-controls={selects}
        onClick={() => {
          setIsOpen(!isOpen);
        }}
      >
        <Icon name="filter" /> Filters
        {chosen > 0 && <span className="badge">{chosen}</span>}
      </button>
      <div className="filter-selects" id={selects}>
        <Select
          label="Status"
          value={isOneStatus(filters) ? filters.status : ''}
          choices={[{ id: '', name: 'Any status' }, ...statuses]}
          active={isOneStatus(filters)}
          onChange={(status) => {
            change({ status: status || 'open' });
          }}
        />
        <Boundary resetKey="" fallback={<NotLoaded />} onError={<NotLoaded />}>
          <PeopleAndLabels filters={filters} change={change} />
        </Boundary>
        <button
          type="button"
          className="button button-quiet clear-filters"
          disabled={countFilters(filters) === 0}
          onClick={() => {
            change({ assignee: '', label: '', q: '' });
          }}
        >
          Clear filters
        </button>
        <span className="filter-order">
          <span aria-hidden="true">Sort by</span>
          <Select
            label="Sort by"
            value={filters.sort}
            choices={orders}
            onChange={(sort) => {
              change({ sort });
            }}
          />
        </span>
      </div>
    </div>
  );
}

/** Whether the list shows one status, which none of the tabs does. */
function isOneStatus({ status }: Filters): boolean {
  return !tabs.some(({ id }) => id === status);
}

/** A placeholder of the same size, so that nothing moves when the people and labels are loaded. */
function NotLoaded() {
  return (
    <>
      {['Assignee', 'Label'].map((label) => (
        <Select
          key={label}
          label={label}
          value=""
          choices={[{ id: '', name: `Any ${label.toLowerCase()}` }]}
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
        choices={[{ id: '', name: 'Any assignee' }, { id: 'none', name: 'Unassigned' }, ...people]}
        active={filters.assignee !== ''}
        onChange={(assignee) => {
          change({ assignee });
        }}
      />
      <Select
        label="Label"
        value={filters.label}
        choices={[{ id: '', name: 'Any label' }, ...labels]}
        active={filters.label !== ''}
        onChange={(label) => {
          change({ label });
        }}
      />
    </>
  );
}
