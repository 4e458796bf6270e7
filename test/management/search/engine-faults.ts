import { beforeEach, expect, it } from '@jest/globals';
import { startBeside } from '../../support/app.js';
import { column, openDesk, outcome, type Desk } from '../../support/desk.js';
import { createEntry, createType } from '../../support/factories/content.js';
import type { OpenSearchApp } from '../../support/opensearch/opensearch-app.js';
import { waitFor } from '../../support/wait-for.js';
import { article, change } from '../entries/history.js';
import { find, titles } from './scene.js';

/** Indexes until something is found: after an outage the service pauses before it asks again. */
const untilFound = (desk: Desk, q: string): Promise<unknown> =>
  waitFor(`${q} is found`, async () => {
    await desk.app.composition.jobs.indexSearch();
    const response = await find(desk, `q=${q}`);
    return response.status === 200 && column(response, 'title').length > 0;
  });

export const aliasOf = async ({ app, project }: Desk): Promise<string> => {
  const [row] = await app.rows<{ id: string }>(
    null,
    'SELECT environment_id AS id FROM environment_heads WHERE project_slug = $1 AND environment_slug = $2',
    [project.slug, 'main'],
  );
  return `tests-${row?.id ?? ''}`;
};

const unavailable = [503, 'search_unavailable'];

/** What happens while OpenSearch does not work. Call it inside a suite. */
export function survivesFaults({ app, server, line }: OpenSearchApp): void {
  beforeEach(() => {
    line().set('pass');
  });
  const indexed = () => app().composition.jobs.indexSearch();

  it('refuses searches only while the engine is away, and indexes later what was written', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Before' });
    await untilFound(desk, 'before');
    line().set('cut');
    await article(desk, { title: 'During' });
    expect(await indexed()).toBe(0);
    expect(outcome(await find(desk, 'q=before'))).toEqual(unavailable);
    expect(outcome(await find(desk, 'q=before&highlight=true'))).toEqual(unavailable);
    expect(outcome(await desk.post('/search/reindex', {}))).toEqual(unavailable);
    expect((await desk.get('/entries')).body.meta.total).toBe(2);
    expect((await app().request.get('/readyz')).status).toBe(200);
    line().set('pass');
    await untilFound(desk, 'during');
  });

  it('gives up a request that gets no response', async () => {
    const desk = await openDesk(app());
    const { url } = line();
    const search = { openSearch: { url, prefix: 'tests', timeoutMilliseconds: 500 } };
    const beside = await startBeside(app(), { search });
    try {
      line().set('hang');
      const own = { ...desk.project };
      const answer = await beside.request
        .get(`${own.management}/search?q=lock`)
        .set('Authorization', `Bearer ${own.keys.management}`);
      expect(outcome(answer)).toEqual(unavailable);
      expect((await desk.get('/entries')).status).toBe(200);
    } finally {
      line().set('cut');
      await beside.close();
    }
  });

  it('keeps what waits while the engine has no space left', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Before' });
    await untilFound(desk, 'before');
    const block = (isFull: boolean | null) =>
      server().call('PUT', '/tests-*/_settings', { 'index.blocks.read_only_allow_delete': isFull });
    await block(true);
    await article(desk, { title: 'During' });
    expect(await indexed()).toBe(0);
    expect(column(await find(desk, 'q=before'), 'title')).toEqual(['Before']);
    await block(null);
    await untilFound(desk, 'during');
  });

  it('rebuilds a deleted index with all entries', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Old lock' });
    await untilFound(desk, 'lock');
    const alias = await aliasOf(desk);
    const rows = (await server().call('GET', `/${alias}*`)) as object;
    await server().call('DELETE', `/${Object.keys(rows).join(',')}`);
    expect(outcome(await find(desk, 'q=lock'))).toEqual(unavailable);
    await article(desk, { title: 'New' });
    await untilFound(desk, 'new');
    expect(await titles(desk, 'lock')).toEqual(['Old lock']);
  });

  it.each([
    ['takes its name', (alias: string) => alias, {}],
    ['has its alias', () => 'foreign', { dynamic: 'strict' }],
  ])('replaces an index of others that %s', async (_title, nameOf, mapping) => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    await untilFound(desk, 'lock');
    const alias = await aliasOf(desk);
    const rows = (await server().call('GET', `/${alias}*`)) as object;
    await server().call('DELETE', `/${Object.keys(rows).join(',')}`);
    const name = nameOf(alias);
    const mappings = { ...mapping, properties: { updatedAt: { type: 'text' } } };
    await server().call('PUT', `/${name}`, { mappings, ...(name !== alias && { aliases: { [alias]: {} } }) });
    expect(outcome(await find(desk, 'q=lock'))).toEqual(unavailable);
    await change(desk, id, { fields: { title: 'Sluice' } });
    await untilFound(desk, 'sluice');
  });

  it('leaves out a document that the engine refuses, and indexes the others', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'boat', fields: [{ apiName: 'name', type: 'text' }] });
    await article(desk, { title: 'Before' });
    await untilFound(desk, 'before');
    await server().call('PUT', `/${await aliasOf(desk)}/_settings`, {
      'index.mapping.total_fields.limit': 20,
    });
    await createEntry(app(), desk.project, { contentTypeApiName: 'boat', fields: { name: 'Refused' } });
    await article(desk, { title: 'After' });
    await untilFound(desk, 'after');
    expect(await titles(desk, 'refused')).toEqual([]);
    expect(await indexed()).toBe(0);
  });
}
