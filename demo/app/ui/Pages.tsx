import { perPage } from '../model/issueQueries.ts';
import { Link } from '../routing/Link.tsx';
import { Icon } from './Icon.tsx';

const count = new Intl.NumberFormat('en');

/** “26–50 of 216” with the ways to the pages before and after. */
export function Pages({
  page,
  shown,
  total,
  href,
}: {
  page: number;
  /** How many are on this page. */
  shown: number;
  /** How many are on all pages, once that is known. */
  total: number | undefined;
  href: (page: number) => string;
}) {
  const before = (page - 1) * perPage;
  if (total === undefined || total === 0) return null;
  const pages = Math.max(1, Math.ceil(total / perPage));
  return (
    <nav className="pages" aria-label="Pages">
      <span>
        {count.format(before + 1)}–{count.format(before + shown)} of {count.format(total)}
      </span>
      {pages > 1 && (
        <span className="pages-links">
          <PageLink to={page > 1 ? href(page - 1) : undefined} name="Previous page" icon="chevronLeft" />
          <span className="pages-current">
            {count.format(page)} / {count.format(pages)}
          </span>
          <PageLink to={page < pages ? href(page + 1) : undefined} name="Next page" icon="chevronRight" />
        </span>
      )}
    </nav>
  );
}

function PageLink({
  to,
  name,
  icon,
}: {
  to: string | undefined;
  name: string;
  icon: 'chevronLeft' | 'chevronRight';
}) {
  if (to === undefined) {
    return (
      <span className="icon-button is-disabled" aria-hidden="true">
        <Icon name={icon} />
      </span>
    );
  }
  return (
    <Link className="icon-button" href={to} aria-label={name} title={name}>
      <Icon name={icon} />
    </Link>
  );
}
