import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now, otherSite } from './history.js';

const app = useApp();
const duplicate = (desk: Desk, id: string, body: object = {}) => desk.post(`/entries/${id}/duplicate`, body);

describe('201', () => {
  verifies('entries/further-operations', 'entries/duplicate');

  it('creates a draft in every locale with numbered slugs', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', code: 'A' });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    await publish(app(), desk.project, id);
    const { status, body, headers } = await duplicate(desk, id);
    expect(status).toBe(201);
    expect(headers.location).toBe(`${desk.project.management}/entries/${body.data.id}`);
    expect(body.data.id).not.toBe(id);
    expect(body.data).toMatchObject({
      version: 1,
      status: 'draft',
      slug: 'lock-2',
      fields: { title: 'Lock (copy)', code: 'A' },
      locales: [
        { locale: 'de', slug: 'schleuse-2', status: 'draft', publishedAt: null },
        { locale: 'en', slug: 'lock-2', status: 'draft', publishedAt: null },
      ],
    });
    expect((await duplicate(desk, id)).body.data.slug).toBe('lock-3');
    const { data } = (await desk.get(`/entries/${body.data.id}/versions`)).body;
    expect(data).toMatchObject([
      { versionNum: 1, changeType: 'create', locale: null, locales: ['de', 'en'] },
    ]);
  });

  it('shortens the slug when the number would make it too long', async () => {
    const desk = await openDesk(app());
    const slug = `${'a'.repeat(197)}\u{1F6F6}b`;
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', slug });
    expect((await duplicate(desk, id)).body.data.slug).toBe(`${'a'.repeat(197)}-2`);
    expect((await duplicate(desk, id)).body.data.slug).toBe(`${'a'.repeat(197)}-3`);
  });

  it('copies the requested locales with the given slug and suffix', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    const { body } = await duplicate(desk, id, { locales: ['de'], slug: 'tor', titleSuffix: ' II' });
    expect(body.data).toMatchObject({ locale: 'de', slug: 'tor', fields: { title: 'Schleuse II' } });
    expect(body.data.locales).toHaveLength(1);
  });

  it('copies the locales that the target site has and keeps the slug', async () => {
    const desk = await openDesk(app());
    const siteId = await otherSite(desk, { locales: ['en'], defaultLocale: 'en' });
    const { id } = await article(desk, { title: 'Lock' });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    const { body } = await duplicate(desk, id, { siteId, titleSuffix: '' });
    expect(body.data).toMatchObject({ siteId, slug: 'lock', fields: { title: 'Lock' } });
    expect(body.data.locales.map(({ locale }: { locale: string }) => locale)).toEqual(['en']);
  });

  it('keeps the title within its limit and the slug field equal to the slug', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'page',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'handle', type: 'slug' },
      ],
    });
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'page',
      fields: { title: 'x'.repeat(512), handle: 'here' },
    });
    const { body } = await duplicate(desk, id);
    expect(body.data.fields.title).toHaveLength(512);
    expect(body.data.fields.title).toMatch(/x \(copy\)$/);
    expect([body.data.slug, body.data.fields.handle]).toEqual(['here-2', 'here-2']);
  });

  it('keeps links, and with deep copies their targets and links among the copies', async () => {
    const desk = await openDesk(app());
    const siteId = await otherSite(desk);
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const elsewhere = await article(desk, { title: 'Elsewhere' }, { siteId });
    const child = await article(desk, { title: 'Child', author: { _ref: author.id } });
    const root = await article(desk, {
      title: 'Root',
      related: [{ _ref: child.id }, { _ref: elsewhere.id }],
    });
    await change(desk, child.id, { fields: { related: [{ _ref: root.id }] } });

    const shallow = (await duplicate(desk, root.id)).body.data;
    expect(shallow.fields.related).toEqual((await now(desk, root.id)).fields.related);

    const deep = (await duplicate(desk, root.id, { deep: true })).body.data;
    const [copiedChild, other] = deep.fields.related as { _ref: string }[];
    expect(other?._ref).toBe(elsewhere.id);
    expect(copiedChild?._ref).not.toBe(child.id);
    const childCopy = await now(desk, String(copiedChild?._ref));
    expect(childCopy).toMatchObject({ slug: 'child-2', version: 1, fields: { title: 'Child' } });
    expect(childCopy.fields.related).toEqual([{ _ref: deep.id, _type: 'article' }]);
    const authorCopy = (childCopy.fields.author as { _ref: string })._ref;
    expect(authorCopy).not.toBe(author.id);
    expect((await desk.get(`/entries/${authorCopy}/references`)).body.data).toMatchObject([
      { entryId: childCopy.id },
    ]);
    expect((await now(desk, root.id)).version).toBe(1);
  });

  it('writes one audit record per entry for a deep copy', async () => {
    const desk = await openDesk(app());
    const child = await article(desk, { title: 'Child' });
    const root = await article(desk, { title: 'Root', related: [{ _ref: child.id }] });
    const { headers } = await duplicate(desk, root.id, { deep: true });
    const records = await app().rows<{ after: { copiedFrom: string; copiedAlong: string[] } }>(
      desk.project.tenantId,
      "SELECT after FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY number",
      [headers['x-request-id']],
    );
    expect(records.map(({ after }) => after.copiedFrom)).toEqual([child.id, root.id]);
    expect(records.at(-1)?.after.copiedAlong).toHaveLength(1);
  });
});

describe('refusals', () => {
  verifies('entries/duplicate', 'entries/slugs-taken', 'http/missing-things', 'access/writes-within-sites');

  it('returns 404 with the path of an unknown id in the body', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const missing = '0198c0de-0000-7000-8000-000000000000';
    const cases: [object, string, unknown][] = [
      [{ siteId: missing }, 'site_not_found', ['siteId']],
      [{ treeParentId: missing }, 'tree_node_not_found', ['treeParentId']],
      [{ locales: ['en', 'xx'] }, 'locale_not_found', ['locales', 1]],
      [{ locales: ['de'] }, 'locale_not_found', ['locales', 0]],
    ];
    for (const [body, code, path] of cases) {
      const response = await duplicate(desk, id, body);
      expect([...outcome(response), response.body.details.path]).toEqual([404, code, path]);
    }
    expect(outcome(await duplicate(desk, 'nothing'))).toEqual([404, 'entry_not_found']);
  });

  it('returns 409 when the given slug is taken', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    expect(outcome(await duplicate(desk, id, { slug: 'lock' }))).toEqual([409, 'slug_conflict']);
  });

  it('returns 403 for a site that the key cannot write to', async () => {
    const desk = await openDesk(app());
    const siteId = await otherSite(desk);
    const { id } = await article(desk);
    const { secret } = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
    const response = await duplicate(desk.as(secret), id, { siteId });
    expect([...outcome(response), response.body.details.siteId]).toEqual([403, 'permission_denied', siteId]);
  });

  it('returns 422 for a second entry of a single-entry type', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'home', isSingleton: true });
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'home' });
    expect(outcome(await duplicate(desk, id))).toEqual([422, 'limit_reached']);
  });

  it('returns 422 and copies nothing when a deep copy has more than a hundred entries', async () => {
    const desk = await openDesk(app());
    const children = await Promise.all(
      Array.from({ length: 100 }, (_, index) => article(desk, { title: `Child ${index}` })),
    );
    const root = await article(desk, { title: 'Root', related: children.map(({ id }) => ({ _ref: id })) });
    expect(outcome(await duplicate(desk, root.id, { deep: true }))).toEqual([422, 'limit_reached']);
    expect((await desk.get('/entries?contentTypeApiName=article')).body.meta.total).toBe(101);
  });
});
