import { site } from '../../lib/headwater.ts';

export const metadata = { title: 'Search', robots: 'noindex' };

export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const q = String((await searchParams).q ?? '').slice(0, 200);
  const found = q.trim() === '' ? [] : (await site.searchContent({ q, paths: true, limit: 20 })).data;
  return (
    <main>
      <h1>Search</h1>
      <ul>
        {found.map(({ entry, title }) => (
          <li key={entry._id}>{entry._path ? <a href={entry._path}>{title}</a> : title}</li>
        ))}
      </ul>
    </main>
  );
}
