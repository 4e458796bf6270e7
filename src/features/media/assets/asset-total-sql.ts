import { limits } from '../../../../contracts/limits.js';
import type { Bind } from '../../shared/index.js';
import { and, type AssetFilter, type Term } from './asset-filter-sql.js';
import { candidatesSql, searched } from './asset-search-sql.js';

/** Folder id under which `media_counts` keeps the totals of all folders. */
const ALL_FOLDERS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const sumOf = (table: string, conditions: readonly string[]): string =>
  `SELECT coalesce(sum(c.assets), 0)::int AS total FROM ${table} c WHERE ${['c.environment_id = $1', ...conditions].join(' AND ')}`;

/** SQL of the total: sums of counters if some have all filters; matches of a string are counted up to a limit. */
export function totalSql(filter: AssetFilter, terms: readonly Term[], value: Bind): string {
  const counts = terms.flatMap(({ count }) => count ?? []);
  if (counts.length === terms.length) {
    const ofAll = filter.folderId === null ? [`c.folder_id = '${ALL_FOLDERS}'`] : [];
    return sumOf('media_counts', [...counts.map((sql) => sql(value)), ...ofAll]);
  }
  const sets = terms.flatMap(({ set }) => set ?? []);
  if (sets.length === terms.length)
    return sumOf(
      'media_set_counts',
      sets.map((sql) => sql(value)),
    );
  const [tag] = filter.tags ?? [];
  if (terms.length === 1 && tag !== undefined && filter.tags?.length === 1)
    return sumOf('media_tag_counts', [`c.tag = ${value(tag)}`]);
  if (filter.contains !== null)
    return `SELECT count(*)::int AS total FROM (SELECT FROM ${searched}
      WHERE ${candidatesSql(filter.contains, value)}${and(terms, value)} LIMIT ${String(limits.mediaMatchesCounted)}) AS found`;
  return `SELECT count(*)::int AS total FROM media_assets a WHERE a.environment_id = $1${and(terms, value)}`;
}
