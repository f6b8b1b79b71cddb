import { Link } from '../routing/Link.tsx';
import { projectsPath } from '../routing/route.ts';
import { Empty } from '../ui/Empty.tsx';

export function MissingScreen({ path }: { path: string }) {
  return (
    <div className="page">
      <title>Not found · Mooring</title>
      <Empty
        heading="h1"
        title="Page not found"
        action={
          <Link className="button" href={projectsPath}>
            All projects
          </Link>
        }
      >
        There is no page at <code>{path}</code>.
      </Empty>
    </div>
  );
}
