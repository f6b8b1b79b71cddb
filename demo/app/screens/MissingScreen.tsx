import { Link } from '../routing/Link.tsx';
import { projectsPath } from '../routing/route.ts';
import { Empty } from '../ui/Empty.tsx';

export function MissingScreen({ path }: { path: string }) {
  return (
    <div className="page">
      <title>Not found · Mooring</title>
      <Empty
        title="There is nothing here"
        action={
          <Link className="button" href={projectsPath}>
            All projects
          </Link>
        }
      >
        No screen has the address <code>{path}</code>.
      </Empty>
    </div>
  );
}
