import { describe, expect, it } from '@jest/globals';
import { SearchedSite } from '../../delivery/searched-site.js';
import { column, issues, openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { branchOf } from '../../support/factories/branch.js';
import { send } from '../../support/call.js';
import { verifies } from '../../support/verifies.js';
import { find, indexAll } from './scene.js';
import { setSettings } from './settings-conformance.js';

const app = useOwnApp();

describe('PUT search/settings', () => {
  verifies('search/settings');

  it('replaces what is given, follows renames, and is recorded once', async () => {
    const desk = await openDesk(app());
    const boosts = { types: { article: 2 }, fields: { 'article.title': 3, 'author.name': 1 } };
    await setSettings(desk, { boosts });
    await setSettings(desk, { synonyms: { en: [['lock', 'sluice']] } });
    await setSettings(desk, { synonyms: { en: [['lock', 'sluice']] } });
    await desk.post('/content-types/article/rename', { apiName: 'story' });
    await desk.post('/content-types/story/fields/title/rename', { apiName: 'headline' });
    expect((await desk.get('/search/settings')).body).toEqual({
      data: {
        synonyms: { en: [['lock', 'sluice']] },
        boosts: { types: { story: 2 }, fields: { 'story.headline': 3 } },
      },
    });
    const records = await desk.get('/audit-events?action=search_settings.update');
    expect(column(records, 'action')).toHaveLength(2);
  });

  it('is part of a copy of the environment', async () => {
    const desk = await openDesk(app());
    await setSettings(desk, { boosts: { types: { article: 2 } } });
    const settings = (await desk.get('/search/settings')).body;
    const { environment } = await branchOf(app(), desk.project);
    const { project } = desk;
    const path = `${project.management}/search/settings`;
    const copied = await send(app(), { method: 'GET', path, key: project.keys.management, environment });
    expect(copied.body).toEqual(settings);
  });

  it('refuses what is unknown or too much, with its path', async () => {
    const desk = await openDesk(app());
    const refused = async (body: object) => issues(await desk.put('/search/settings', body));
    const boosts = (types: object, fields: object) => ({ boosts: { types, fields } });
    expect(await refused({ synonyms: { xx: [['a', 'b']] } })).toEqual([['synonyms.xx', 'unknown_locale']]);
    expect(await refused({ synonyms: { en: [['lock', 'Lock', '!']] } })).toEqual([
      ['synonyms.en.0.1', 'duplicate'],
      ['synonyms.en.0.2', 'invalid'],
    ]);
    expect(await refused({ synonyms: { en: [['a b c d e f', 'g']] } })).toEqual([
      ['synonyms.en.0.0', 'too_big'],
    ]);
    expect(await refused(boosts({ none: 2 }, {}))).toEqual([['boosts.types.none', 'unknown_content_type']]);
    expect(await refused(boosts({}, { 'article.none': 2 }))).toEqual([
      ['boosts.fields.article.none', 'unknown_field'],
    ]);
    expect((await desk.put('/search/settings', boosts({ article: 11 }, {}))).status).toBe(422);
    expect(outcome(await desk.put('/search/settings', {}))).toEqual([422, 'no_update_fields']);
  });
});

describe('GET reports/empty-searches', () => {
  verifies('reports/empty-searches');

  it('counts what readers and editors did not find, by query, site and locale', async () => {
    const site = await SearchedSite.open(app());
    await site.live({ title: 'A lock' });
    await indexAll(app());
    const { desk } = site;
    for (const q of ['Quay%20%20Wall', 'quay%20wall', 'lock', '!']) await site.find(`q=${q}`);
    await find(desk, 'q=quay');
    await find(desk, 'q=quay&status=draft');
    await app().composition.jobs.flushKeyUses();
    const { body } = await desk.get('/reports/empty-searches');
    const { siteId } = desk.project;
    expect(body).toMatchObject({
      data: {
        summary: { queries: 2, searches: 3 },
        rows: [
          { query: 'quay wall', source: 'delivery', locale: 'en', siteId, searches: 2 },
          { query: 'quay', source: 'management', locale: null, siteId: null, searches: 1 },
        ],
      },
      meta: { total: 2 },
    });
    const filtered = await desk.get(`/reports/empty-searches?source=management`);
    expect(filtered.body).toMatchObject({ data: { summary: { queries: 1 } } });
  });
});
