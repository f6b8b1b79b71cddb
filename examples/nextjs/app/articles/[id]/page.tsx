import { AsyncBoundary } from 'holdfast/react';
import Link from 'next/link';
import { connection } from 'next/server';
import { ArticleDetail } from './ArticleDetail';

export default function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <main>
      <AsyncBoundary fallback={<p>Loading…</p>}>
        <Detail params={params} />
      </AsyncBoundary>
      <Link href="/">All articles</Link>
    </main>
  );
}

async function Detail({ params }: { params: Promise<{ id: string }> }) {
  await connection(); // render per request, not during the build
  const { id } = await params;
  return <ArticleDetail id={id} />;
}
