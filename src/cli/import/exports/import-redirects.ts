import { decodedAddress } from './decoded-address.js';
import type { SourceEntry } from './export-source.js';
import type { ImportReport } from './import-report.js';
import type { PreparedTarget } from './import-target.js';

/** Rows of one call. */
const ROWS = 5000;

const pathOf = (address: string): string | undefined => {
  if (!URL.canParse(address, 'https://export.invalid')) return undefined;
  const { pathname, search } = new URL(address, 'https://export.invalid');
  const bare = pathname.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return `${bare}${search}`;
};

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Old and new paths of published entries, where they differ. @param nodes of entries in the tree */
async function movedPaths(
  { client, projectSlug, siteSlug }: PreparedTarget,
  entries: readonly SourceEntry[],
  { nodeOf, locale }: { nodeOf: (entry: SourceEntry) => string | undefined; locale: string },
): Promise<Map<string, string>> {
  const { data } = await client.call('tree', 'get', { projectSlug, siteSlug, flat: true });
  const paths = new Map(data.map(({ id, path }) => [id, path[locale]]));
  const moved = new Map<string, string>();
  for (const entry of entries) {
    const target = paths.get(nodeOf(entry) ?? '');
    if (!entry.isPublished || target === undefined) continue;
    for (const address of [entry.address ?? [], entry.aliases ?? []].flat()) {
      const source = pathOf(address);
      if (source === undefined || source === '/') continue;
      if (decodedAddress(source) !== decodedAddress(target)) moved.set(source, target);
    }
  }
  return moved;
}

/** Redirects the addresses that published entries had. Refused ones are losses. */
export async function importRedirects(
  target: PreparedTarget,
  report: ImportReport,
  given: {
    readonly entries: readonly SourceEntry[];
    readonly nodeOf: (entry: SourceEntry) => string | undefined;
    readonly locale: string;
  },
): Promise<void> {
  if (given.entries.every(({ address, aliases = [] }) => address === undefined && aliases.length === 0))
    return;
  const { client, projectSlug, siteId } = target;
  const rows = [...(await movedPaths(target, given.entries, given))];
  for (let start = 0; start < rows.length; start += ROWS) {
    const part = rows.slice(start, start + ROWS);
    const csv = ['source,target', ...part.map((row) => row.map(cell).join(','))].join('\n');
    const { data } = await client.call('redirects', 'import', { projectSlug, siteId, csv });
    report.count('redirect', 'made', data.created);
    report.count('redirect', 'changed', data.updated);
    report.count('redirect', 'same', data.skipped);
    for (const { line, message } of data.errors)
      report.losses.add('redirect', part[line - 2]?.[0] ?? '', [
        `the redirect to ${part[line - 2]?.[1] ?? ''}`,
        message,
        'Create it after the import.',
      ]);
  }
}
