import { lastingTables } from '../../src/features/environments/environments/copy/environment-tables.js';
import { must, send } from '../support/call.js';
import type { Scene } from '../support/scene.js';

/** In items of the default environment after the branch was made. */
export const MARK = 'OnlyInDefault';

const DEFAULT = '(SELECT id FROM environments WHERE project_id = $1 AND is_default)';

/** Tables with rows of one environment; keys and records that only name it are the project's. */
async function tablesOf({ app }: Scene): Promise<{ name: string; hasId: boolean }[]> {
  return app.rows(
    null,
    `SELECT c.table_name AS name, EXISTS (SELECT FROM information_schema.columns i WHERE i.table_schema = 'public'
        AND i.table_name = c.table_name AND i.column_name = 'id' AND i.data_type = 'uuid') AS "hasId"
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name = 'environment_id'
       AND c.table_name <> ALL ($1::text[]) ORDER BY 1`,
    [[...lastingTables]],
  );
}

/** A digest of the rows of the default environment, by table. */
export async function rowDigests(scene: Scene): Promise<Record<string, string>> {
  const { app, project } = scene;
  const parts = (await tablesOf(scene)).map(
    ({
      name,
    }) => `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest
      FROM ${name} t WHERE environment_id = ${DEFAULT}`,
  );
  const rows = await app.rows<{ name: string; digest: string }>(project.tenantId, parts.join(' UNION ALL '), [
    project.projectId,
  ]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Ids of the items of the default environment. */
export async function itemsOf(scene: Scene): Promise<string[]> {
  const { app, project } = scene;
  const parts = (await tablesOf(scene)).flatMap(({ name, hasId }) =>
    hasId ? [`SELECT id::text FROM ${name} WHERE environment_id = ${DEFAULT}`] : [],
  );
  const rows = await app.rows<{ id: string }>(project.tenantId, parts.join(' UNION '), [project.projectId]);
  return rows.map(({ id }) => id);
}

interface Listed {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly contentType: string;
}

/** Changes items of every kind in the default environment alone; published ones also in public. */
export async function markItems({ app, project }: Scene): Promise<void> {
  const { management, keys } = project;
  const call = { key: keys.management } as const;
  const list = (path: string) =>
    must<Listed[]>(app, { ...call, method: 'GET', path: `${management}${path}` });
  const put = (path: string, body: object) =>
    must(app, { ...call, method: 'PUT', path: `${management}${path}`, body });
  for (const { id, version, status } of await list('/entries?limit=100')) {
    await put(`/entries/${id}`, { version, fields: { title: MARK } });
    if (status === 'published')
      await send(app, { ...call, method: 'POST', path: `${management}/entries/${id}/publish`, body: {} });
  }
  for (const { id } of await list('/media?limit=100')) await put(`/media/${id}`, { tags: [MARK] });
  for (const { id } of await list('/redirects?limit=100'))
    await put(`/redirects/${id}`, { target: `/${MARK}` });
  for (const { id } of await list('/tree/main?flat=true')) await put(`/tree/nodes/${id}`, { name: MARK });
  for (const path of ['/content-types/article', '/content-types/article/fields/title'])
    await put(path, { name: MARK });
}
