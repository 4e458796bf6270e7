import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now, otherSite } from './history.js';

const app = useApp();
const publishAll = (desk: Desk, id: string, body: object = {}) =>
  desk.post(`/entries/${id}/publish`, { withDependencies: true, ...body });
const statusOf = async (desk: Desk, id: string, locale = 'en') =>
  (await now(desk, id)).locales.find((state) => state.locale === locale)?.status;

describe('withDependencies', () => {
  verifies('publication/publish-with-dependencies');

  it('publishes linked entries through any number of hops and through cycles', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const last = await article(desk, { title: 'Last', author: { _ref: author.id } });
    const middle = await article(desk, { title: 'Middle', related: [{ _ref: last.id }] });
    const root = await article(desk, { title: 'Root', related: [{ _ref: middle.id }] });
    await change(desk, last.id, { fields: { related: [{ _ref: root.id }] } });
    const { status, body, headers } = await publishAll(desk, root.id);
    expect([status, body.data.status]).toEqual([200, 'published']);
    for (const { id } of [author, last, middle]) expect(await statusOf(desk, id)).toBe('published');
    const records = await app().rows<{ after: { publishedAlong: string[] } }>(
      desk.project.tenantId,
      "SELECT after FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY number",
      [headers['x-request-id']],
    );
    expect(records).toHaveLength(4);
    expect(new Set(records.at(-1)?.after.publishedAlong)).toEqual(new Set([author.id, last.id, middle.id]));
  });

  it('does not publish newer drafts of published dependencies', async () => {
    const desk = await openDesk(app());
    const live = await article(desk, { title: 'Live' });
    await publish(app(), desk.project, live.id);
    await change(desk, live.id, { fields: { title: 'Newer' } });
    const root = await article(desk, { title: 'Root', related: [{ _ref: live.id }] });
    expect((await publishAll(desk, root.id)).status).toBe(200);
    expect(await statusOf(desk, live.id)).toBe('changed');
  });

  it('publishes dependencies of an entry that is already published', async () => {
    const desk = await openDesk(app());
    const child = await article(desk, { title: 'Child' });
    const root = await article(desk, { title: 'Root', related: [{ _ref: child.id }] });
    await publish(app(), desk.project, root.id);
    expect((await publishAll(desk, root.id)).body.data.status).toBe('published');
    expect(await statusOf(desk, child.id)).toBe('published');
  });

  it('publishes the locale, else the written fallback, unless one of them is published', async () => {
    const desk = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
    const english = await article(desk, { title: 'English' });
    const both = await article(desk, { title: 'Both' });
    await change(desk, both.id, { locale: 'de', fields: { title: 'Beide' } });
    const seen = await article(desk, { title: 'Seen' });
    await publish(app(), desk.project, seen.id);
    const french = await article(desk, { title: 'Français' }, { locale: 'fr' });
    const related = [english, both, seen, french].map(({ id }) => ({ _ref: id }));
    const root = await article(desk, { title: 'Root', related }, { locale: 'de' });
    expect((await publishAll(desk, root.id, { locale: 'de' })).status).toBe(200);
    expect(await statusOf(desk, english.id)).toBe('published');
    expect([await statusOf(desk, both.id, 'de'), await statusOf(desk, both.id)]).toEqual([
      'published',
      'draft',
    ]);
    expect(await statusOf(desk, french.id, 'fr')).toBe('draft');
  });

  it('publishes nothing and reports every issue with its entry when a dependency is incomplete', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    const fine = await article(desk, { title: 'Fine' });
    const root = await article(desk, { author: { _ref: author.id }, related: [{ _ref: fine.id }] });
    const response = await publishAll(desk, root.id);
    expect(outcome(response)).toEqual([422, 'entry_invalid']);
    expect(issues(response)).toEqual([
      ['fields.title', 'required'],
      [`dependencies.${author.id}.fields.name`, 'required'],
    ]);
    for (const { id } of [author, fine, root]) expect(await statusOf(desk, id)).toBe('draft');
  });

  it('publishes nothing when a dependency is on a site the key cannot write to', async () => {
    const desk = await openDesk(app());
    const siteId = await otherSite(desk);
    const child = await article(desk, { title: 'Child' }, { siteId });
    const root = await article(desk, { title: 'Root', related: [{ _ref: child.id }] });
    const { secret } = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
    expect(outcome(await publishAll(desk.as(secret), root.id))).toEqual([403, 'permission_denied']);
    expect(await statusOf(desk, root.id)).toBe('draft');
  });

  it('returns 422 for more than a hundred dependencies', async () => {
    const desk = await openDesk(app());
    const children = await Promise.all(
      Array.from({ length: 101 }, (_, index) => article(desk, { title: `C ${index}` })),
    );
    const root = await article(desk, { title: 'Root', related: children.map(({ id }) => ({ _ref: id })) });
    expect(outcome(await publishAll(desk, root.id))).toEqual([422, 'limit_reached']);
    expect(await statusOf(desk, children[0]?.id ?? '')).toBe('draft');
  });
});
