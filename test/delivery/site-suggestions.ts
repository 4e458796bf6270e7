import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { outcome } from '../support/desk.js';
import { createEntry, createType, paragraphs, publish } from '../support/factories/content.js';
import { change, otherSite } from '../management/entries/history.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { SearchedSite } from './searched-site.js';

/** What suggestions of delivery promise, whichever provider the service has. */
export function describeSiteSuggestions(app: () => TestApp): void {
  let site: SearchedSite;

  const suggest = (query: string, key?: string) =>
    send(site.app, { method: 'GET', path: `${site.desk.project.delivery}/search/suggest?${query}`, key });
  const texts = async (query: string, key?: string): Promise<string[]> =>
    ((await suggest(query, key)).body.data as { text: string }[]).map(({ text }) => text);

  beforeEach(async () => {
    site = await SearchedSite.open(app());
  });

  describe('GET search/suggest of delivery', () => {
    it('suggests words and titles of what is published, with paths, and nothing of drafts', async () => {
      const id = await site.live({ title: 'Lockmaster', body: paragraphs('Of locks.') });
      const { siteId } = site.desk.project;
      await site.live({ title: 'Roads', body: paragraphs('Without lockets.') });
      await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'article',
        fields: { title: 'Lockheed' },
      });
      await change(site.desk, id, { fields: { title: 'Locksmith' } });
      await site.index();
      const { status, body, headers } = await suggest('q=lock');
      expect([status, body.data]).toEqual([
        200,
        [
          { kind: 'query', text: 'locks' },
          { kind: 'query', text: 'lockets' },
          { kind: 'query', text: 'lockmaster' },
          {
            kind: 'entry',
            text: 'Lockmaster',
            entryId: id,
            contentTypeApiName: 'article',
            siteId,
            locale: 'en',
            path: null,
          },
        ],
      ]);
      expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
      expect(headers['surrogate-key']).toContain(`entry:${id}`);
      expect(await texts('q=lock', site.desk.project.keys.preview)).toEqual([
        'locks',
        'lockets',
        'lockheed',
        'locksmith',
        'Lockheed',
        'Locksmith',
      ]);
      expect(await texts('q=lockheed')).toEqual([]);
      expect(await texts('q=locksmith')).toEqual([]);
    });

    it('writes a word as what is published writes it', async () => {
      await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'article',
        fields: { title: 'Résumés' },
      });
      await site.index();
      await site.live({ title: 'Roads', body: paragraphs('Resumes') });
      await site.index();
      expect(await texts('q=resu')).toEqual(['resumes']);
      expect(await texts('q=resux')).toEqual(['resumes']);
      expect(await texts('q=resu', site.desk.project.keys.preview)).toHaveLength(2);
    });

    it('names the path of a page', async () => {
      await createPageType(site.app, site.desk.project);
      const { id } = await createLivePage(site.app, site.desk.project, { slug: 'locks' });
      await site.index();
      expect((await suggest('q=page')).body.data).toMatchObject([
        { kind: 'entry', text: 'Page locks', entryId: id, path: expect.stringMatching(/locks$/) as unknown },
      ]);
    });

    it('suggests an entry in the locale that the site serves', async () => {
      await site.live({ title: 'Water gate' }, { de: 'Wassertor' });
      await site.live({ title: 'Water tower' });
      await site.index();
      expect(await texts('q=wa')).toEqual(['water', 'Water gate', 'Water tower']);
      expect(await texts('q=wa&locale=de')).toEqual(['water', 'wassertor', 'Wassertor', 'Water tower']);
      expect(await texts('q=gat&locale=de')).toEqual([]);
      expect(outcome(await suggest('q=wa&locale=sv'))).toEqual([404, 'locale_not_found']);
    });

    it('suggests nothing of another site', async () => {
      const siteId = await otherSite(site.desk);
      const { id } = await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'article',
        fields: { title: 'Lockheed' },
        siteId,
      });
      await publish(site.app, site.desk.project, id);
      await site.live({ title: 'Lockmaster' });
      await site.index();
      expect(await texts('q=lock')).toEqual(['lockmaster', 'Lockmaster']);
    });

    it('is served from memory until something on the site is published', async () => {
      await site.live({ title: 'Lockmaster' });
      await site.index();
      const first = await texts('q=lock');
      const { statements } = await site.app.recordStatements(() => texts('q=lock'));
      expect([first, statements]).toEqual([['lockmaster', 'Lockmaster'], []]);
      await site.live({ title: 'Locksmith' });
      await site.index();
      expect(await texts('q=lock')).toEqual(['locksmith', 'lockmaster', 'Lockmaster', 'Locksmith']);
    });

    it('is a root field of GraphQL, and titles are those of the display field', async () => {
      await createType(site.app, site.desk.project, {
        apiName: 'keeper',
        fields: [{ apiName: 'name', type: 'text' }],
      });
      const { id } = await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'keeper',
        fields: { name: 'Lócksley' },
      });
      await publish(site.app, site.desk.project, id);
      await site.index();
      const asked = '{ suggest(site: "main", q: "lock") { kind text entryId contentTypeApiName path } }';
      expect((await site.ask(asked)).data).toEqual({
        suggest: [
          { kind: 'query', text: 'lócksley', entryId: null, contentTypeApiName: null, path: null },
          { kind: 'entry', text: 'Lócksley', entryId: id, contentTypeApiName: 'keeper', path: null },
        ],
      });
      expect((await site.ask('{ search(site: "main", q: "lock") { items { title } } }')).data).toEqual({
        search: { items: [{ title: 'Lócksley' }] },
      });
      const refused = await site.ask('{ suggest(site: "main", q: "lock", preview: true) { text } }');
      expect(refused.errors?.[0]?.extensions.code).toBe('preview_not_allowed');
    });
  });
}
