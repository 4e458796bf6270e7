import type { TestApp } from './app.js';
import type { TestProject } from './factories/project.js';

/** Columns that go on when a change is undone. */
const ongoing = ['version', 'schema_version', 'updated_at', 'updated_by', 'updated_by_id', 'is_used'];

const tables = [
  ...[
    'content_types',
    'fields',
    'custom_field_types',
    'workflows',
    'entries',
    'entry_locales',
    'entry_links',
  ],
  ...[
    'published_entries',
    'published_media',
    'unique_values',
    'tree_nodes',
    'routes',
    'redirects',
    'media_folders',
    'media_assets',
    'media_asset_locales',
    'media_asset_versions',
    'translations',
    'translation_sources',
  ],
];

const listOf = (table: string): string =>
  `'${table}', (SELECT coalesce(jsonb_agg(r.row ORDER BY r.row), '[]') FROM (
     SELECT (to_jsonb(t) - $${table === 'published_entries' ? 4 : 3}::text[])::text COLLATE "C" AS row FROM ${table} t
     WHERE t.environment_id = e.id) AS r)`;

/** Everything that the environment `$2` of the project `$1` stores and serves, but the columns `$3`, and `$4` of documents. */
export const stateSql = `SELECT jsonb_build_object(${tables.map(listOf).join(', ')}) AS state
  FROM environments e WHERE project_id = $1 AND slug = $2`;

/** @param unlike columns of documents that differ in a copy */
export const stateBind = (projectId: string, slug: string, unlike: readonly string[] = []): unknown[] => [
  projectId,
  slug,
  [...ongoing, 'environment_id'],
  ['environment_id', ...unlike],
];

/** Everything that an environment stores and serves, in a fixed order. */
export async function stateOf(
  app: TestApp,
  { tenantId, projectId }: TestProject,
  slug: string,
): Promise<object> {
  const [found] = await app.rows<{ state: object }>(tenantId, stateSql, stateBind(projectId, slug));
  if (found === undefined) throw new Error(`no environment ${slug}`);
  return found.state;
}
