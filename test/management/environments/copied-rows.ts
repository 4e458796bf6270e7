import {
  contentTables,
  derivedTables,
  schemaTables,
} from '../../../src/features/environments/environments/copy/environment-tables.js';
import type { TestApp } from '../../support/app.js';
import type { TestProject } from '../../support/factories/project.js';

type Rows = Record<string, string[]>;

/** Of the environment alone, or different by nature. */
const UNLIKE =
  "'{environment_id,ordinal,hit_count,last_hit_at,revision,environment_slug,is_default,filter_values}'::text[]";

/** Rows of an environment by table, without tables that have none. */
export async function rowsOf(app: TestApp, project: TestProject, environmentId: string): Promise<Rows> {
  // The indexes of search and filters follow in their own time.
  const tables = [...schemaTables, ...contentTables, ...derivedTables].filter(
    (table) => !/^(?:search|filter)_/.test(table),
  );
  const found: Rows = {};
  for (const table of tables) {
    // Counters of what is gone stay, with zero.
    const counted = table.endsWith('_counts')
      ? ` AND coalesce(to_jsonb(t) ->> 'entries', to_jsonb(t) ->> 'assets') <> '0'`
      : '';
    const rows = await app.rows<{ row: string }>(
      project.tenantId,
      `SELECT (to_jsonb(t) - ${UNLIKE})::text AS row FROM ${table} t WHERE t.environment_id = $1${counted} ORDER BY 1`,
      [environmentId],
    );
    if (rows.length > 0) found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** The rows of the default environment and of a copy. */
export async function copiesOf(
  app: TestApp,
  project: TestProject,
  environmentId: string,
): Promise<{ main: Rows; copy: Rows }> {
  const [main] = await app.rows<{ id: string }>(
    project.tenantId,
    'SELECT id FROM environments WHERE project_id = $1 AND is_default',
    [project.projectId],
  );
  return {
    main: await rowsOf(app, project, main?.id ?? ''),
    copy: await rowsOf(app, project, environmentId),
  };
}
