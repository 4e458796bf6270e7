import { expect, it } from '@jest/globals';
import { openDesk, type Desk } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import type { OpenSearchApp } from '../../support/opensearch/opensearch-app.js';
import { waitFor } from '../../support/wait-for.js';
import { article, change } from '../entries/history.js';
import { aliasOf } from './engine-faults.js';
import { find, indexAll, titles } from './scene.js';

/** More than the indexer takes at once. */
const ENTRIES = 27;

async function indexesOf(
  { server }: OpenSearchApp,
  desk: Desk,
): Promise<[name: string, aliases: string[]][]> {
  const alias = await aliasOf(desk);
  const rows = await server().call('GET', `/${alias}*?expand_wildcards=all`);
  return Object.entries(rows as Record<string, { aliases: object }>).map(([name, { aliases }]) => [
    name,
    Object.keys(aliases),
  ]);
}

/** Tests of rebuilding an index of OpenSearch, and of keeping it. Call it inside a suite. */
export function rebuilds(running: OpenSearchApp): void {
  const { app, server, line } = running;
  const indexed = () => app().composition.jobs.indexSearch();

  it('fills a new index while the former is searched, also after an interruption', async () => {
    const desk = await openDesk(app());
    for (let number = 1; number <= ENTRIES; number += 1)
      await article(desk, { title: `Lock ${String(number)}` });
    await indexAll(app());
    const [before] = await indexesOf(running, desk);
    const { status, body } = await desk.post('/search/reindex', {});
    expect([status, body.data]).toEqual([
      202,
      { jobId: expect.any(String), status: 'queued', provider: 'opensearch' },
    ]);
    expect((await desk.post('/search/reindex', {})).body.data.jobId).toBe(body.data.jobId);
    let written = 0;
    line().watch(({ url = '' }) => {
      if (url.includes('-next-') && (written += 1) > 1) throw new Error('killed');
    });
    await indexed();
    line().watch(undefined);
    const middle = await indexesOf(running, desk);
    expect(middle).toHaveLength(2);
    expect(middle).toContainEqual(before);
    await waitFor('the former index is searched', async () => {
      const { body: found } = await find(desk, 'q=lock');
      return found.meta?.total === ENTRIES;
    });
    await waitFor('the new index is searched', async () => {
      await indexed();
      return (await indexesOf(running, desk)).length === 1;
    });
    const [[name, aliases] = []] = await indexesOf(running, desk);
    expect([name === before?.[0], aliases]).toEqual([false, [await aliasOf(desk)]]);
    expect((await find(desk, 'q=lock')).body.meta.total).toBe(ENTRIES);
  });

  it('writes entries of a type again without a new index', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Lock' });
    await indexAll(app());
    const before = await indexesOf(running, desk);
    expect((await desk.post('/search/reindex', { contentTypes: ['author'] })).status).toBe(202);
    expect(await indexAll(app())).toBe(0);
    expect((await desk.post('/search/reindex', { contentTypes: ['article'] })).status).toBe(202);
    expect(await indexAll(app())).toBe(1);
    expect(await indexesOf(running, desk)).toEqual(before);
  });

  it('refuses changes that come late or twice', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Barge' });
    await indexAll(app());
    const writes: { url: string; body: Buffer }[] = [];
    line().watch(({ url = '' }, body) => {
      if (url.includes('_bulk')) writes.push({ url, body });
    });
    await change(desk, id, { fields: { title: 'Ferry' } });
    expect(await titles(desk, 'ferry')).toEqual(['Ferry']);
    line().watch(undefined);
    const again = async (): Promise<unknown[]> => {
      const statuses: unknown[] = [];
      for (const { url, body } of writes) {
        const headers = { 'content-type': 'application/x-ndjson' };
        const sent = await fetch(`${server().url}${url}`, {
          method: 'POST',
          headers,
          body: new Uint8Array(body),
        });
        const { items } = (await sent.json()) as { items: { index: { status: number } }[] };
        statuses.push(...items.map(({ index }) => index.status));
      }
      return statuses;
    };
    expect(await again()).toEqual([409]);
    await change(desk, id, { fields: { title: 'Tug' } });
    expect(await titles(desk, 'tug')).toEqual(['Tug']);
    expect(await again()).toEqual([409]);
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    await desk.delete(`/entries/${id}?version=${String(version)}`);
    expect(await titles(desk, 'tug')).toEqual([]);
    expect(await again()).toEqual([409]);
    expect(await titles(desk, 'ferry')).toEqual([]);
  });

  it('removes the index of a deleted environment, also when the engine was away', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Dredger' });
    const made = await desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch' });
    const branch = made.body.data as { id: string; slug: string };
    await app().composition.jobs.workOnEnvironments();
    const rowsOf = () => server().call('GET', `/tests-${branch.id}*?expand_wildcards=all`);
    await waitFor('the branch has an index', async () => {
      await indexAll(app());
      return Object.keys((await rowsOf()) as object).length === 1;
    });
    line().set('cut');
    expect((await desk.delete(`/environments/${branch.slug}`)).status).toBe(200);
    await app().composition.jobs.workOnEnvironments();
    await indexed();
    expect(Object.keys((await rowsOf()) as object)).toHaveLength(1);
    line().set('pass');
    await waitFor('the index is removed', async () => {
      await indexed();
      return Object.keys((await rowsOf()) as object).length === 0;
    });
    expect(await indexesOf(running, desk)).toHaveLength(1);
    expect(await app().rows(null, 'SELECT FROM search_removals WHERE gone_id = $1', [branch.id])).toEqual([]);
  });
}
