import { describe, expect, it } from '@jest/globals';
import { lockTogether } from '../../src/features/entries/entries/index.js';
import { ReleaseRepository } from '../../src/features/entries/releases/index.js';
import { EntryTreeRepository } from '../../src/features/routing/tree/index.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { issues, outcome, useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { entryItem } from '../management/releases/release-desk.js';
import { FutureDesk } from './future-desk.js';

const app = useOwnApp();

describe('reads of the future', () => {
  verifies('publication/future');

  it('are for preview and management keys, of releases that exist and times to come', async () => {
    const desk = await FutureDesk.open(app());
    const article = await desk.article({ title: 'A' });
    const { id } = await desk.scene.release([entryItem(article)]);
    const { delivery, management, preview } = desk.project.keys;
    const later = '2099-01-01T00:00:00Z';
    const paths = [
      `entries/${article.id}`,
      'content/article',
      'search',
      'routes?path=/',
      'tree',
      'redirects',
      'sitemap',
      'sitemap?format=json',
      `media/${article.id}`,
    ];
    for (const path of paths) {
      for (const [query, key] of [
        [{ release: id }, delivery],
        [{ at: later }, delivery],
        [{ release: id }, ''],
      ] as const)
        expect([path, ...outcome(await desk.get(path, query, key))]).toEqual([
          path,
          403,
          'preview_not_allowed',
        ]);
      for (const unknown of [article.id, 'x'])
        expect(outcome(await desk.get(path, { release: unknown }))).toEqual([404, 'release_not_found']);
      expect(issues(await desk.get(path, { at: 'soon' }))).toEqual([['at', 'invalid_format']]);
      expect(issues(await desk.get(path, { at: '2001-01-01T00:00:00Z' }))).toEqual([['at', 'not_in_future']]);
    }
    for (const key of [management, preview]) {
      const read = await desk.get(`entries/${article.id}`, { release: id }, key);
      expect([read.status, read.headers['cache-control']]).toEqual([200, 'private, no-store']);
    }
    const query = '{ articleCollection { total } }';
    expect(outcome(await desk.ask(query, `?release=${id}`, delivery))[0]).toBe(403);
    expect((await desk.ask(query, `?release=${article.id}`)).status).toBe(404);
    expect((await desk.ask(query, '?at=soon')).status).toBe(422);
    expect((await desk.ask(query, '?at=2001-01-01T00:00:00Z')).status).toBe(422);
    const { body, headers } = await desk.ask(query, `?release=${id}`);
    expect([body, headers['cache-control']]).toMatchObject([
      { data: { articleCollection: { total: 1 } } },
      'private, no-store',
    ]);
    expect((await desk.ask(query, '', delivery)).body).toMatchObject({
      data: { articleCollection: { total: 0 } },
    });
    expect((await desk.get(`entries/${article.id}`, {}, delivery)).status).toBe(404);
  });

  it('show the drafts of the release as they are now, and name the field of each value', async () => {
    const desk = await FutureDesk.open(app());
    const article = await desk.article({ title: 'First' });
    const never = await desk.article({ title: 'Never' });
    const { id } = await desk.scene.release([entryItem(article)]);
    const read = async () =>
      (await desk.get(`entries/${article.id}`, { release: id, contentSourceMaps: 'json' })).body as object;
    expect(await read()).toMatchObject({ data: { fields: { title: 'First' } } });
    await desk.scene.edit(article, { fields: { title: 'Second' } });
    const sources = { '/fields/title': { entryId: article.id, locale: 'en', path: 'title' } };
    expect(await read()).toMatchObject({
      data: { fields: { title: 'Second' } },
      meta: { contentSourceMaps: sources },
    });
    const page = await desk.get('content/article?cursor=*&limit=1', { release: id });
    expect(page.body).toMatchObject({ data: [{ _id: article.id }], meta: { total: 1 } });
    expect(outcome(await desk.get(`entries/${never.id}`, { release: id }))).toEqual([404, 'entry_not_found']);
    await desk.scene.data(desk.scene.desk.delete(`/releases/${id}`));
    expect(outcome(await desk.get(`entries/${article.id}`, { release: id }))).toEqual([
      404,
      'release_not_found',
    ]);
  });

  it('show what is not approved yet, and leave what is incomplete as it is', async () => {
    const desk = await FutureDesk.open(app());
    const { scene } = desk;
    const [draft, incomplete] = [
      await desk.article({ title: 'Draft' }),
      await desk.article({ title: 'Whole' }),
    ];
    await scene.publishEntry(incomplete);
    await scene.edit(incomplete, { fields: { title: null } });
    const states = [
      { key: 'draft', name: 'Draft', isInitial: true },
      { key: 'approved', name: 'Approved', allowsPublish: true },
    ];
    const transitions = [{ from: 'draft', to: 'approved' }];
    const strict = { name: 'Strict', enforcement: 'strict', contentTypes: ['article'], states, transitions };
    await scene.data(scene.desk.post('/workflows', strict), 201);
    const { id } = await scene.release([entryItem(draft), entryItem(incomplete)]);
    const titles = [draft, incomplete].map(async (one) => {
      const { body } = await desk.get(`entries/${one.id}`, { release: id });
      return (body as { data: { fields: { title: string } } }).data.fields.title;
    });
    expect(await Promise.all(titles)).toEqual(['Draft', 'Whole']);
  });

  it('wait for no writer, and so keep none waiting', async () => {
    const desk = await FutureDesk.open(app());
    const { scene, project } = desk;
    const page = await desk.livePage('locked');
    await scene.edit(page, { slug: 'unlocked' });
    const { id } = await scene.release([entryItem(page)]);
    const { units, catalogs } = app().composition.services;
    const catalog = await catalogs.find(project.slug, null);
    const { tenant, environment } = catalog!.data;
    const address = { tenant, project: catalog!.data.project, environment };
    const request = { scope: systemScope({ address }), isReadOnly: false, lock: 'schema' } as const;
    const path = await units.run(request, async (work) => {
      await work.use(ReleaseRepository).lock(id);
      await work.use(EntryTreeRepository).lockTrees([project.siteId]);
      await lockTogether(work, [page.id]);
      const { body } = await desk.get(`entries/${page.id}?paths=true`, { release: id });
      return (body as { data?: { _path: string } }).data?._path;
    });
    expect(path).toBe('/unlocked');
    const left = await app().rows<{ environments: number }>(
      project.tenantId,
      'SELECT count(*)::int AS environments FROM environments',
      [],
    );
    expect(left).toEqual([{ environments: 1 }]);
  });
});
