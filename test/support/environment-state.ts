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
    'unique_values',
    'tree_nodes',
    'routes',
    'redirects',
    'media_assets',
    'media_asset_versions',
    'translations',
  ],
];

/** Everything that an environment stores and serves, in a fixed order. */
export async function stateOf(
  app: TestApp,
  { tenantId, projectId }: TestProject,
  slug: string,
): Promise<object> {
  const states = await Promise.all(
    tables.map(async (table) => {
      const kept = table === 'published_entries' ? [] : ongoing;
      const rows = await app.rows<{ row: string }>(
        tenantId,
        `SELECT (to_jsonb(t) - $3::text[])::text AS row FROM ${table} t
         WHERE environment_id = (SELECT id FROM environments WHERE project_id = $1 AND slug = $2) ORDER BY 1`,
        [projectId, slug, kept],
      );
      return [table, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(states);
}
