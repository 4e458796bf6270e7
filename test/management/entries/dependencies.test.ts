import { beforeEach, describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import { createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

verifies('entries/dependencies');

const app = useApp();
let desk: Desk;

beforeEach(async () => {
  desk = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
  await createType(app(), desk.project, {
    apiName: 'story',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'teaser', type: 'reference', localized: true },
      { apiName: 'next', type: 'reference', localized: false, settings: { onTargetUnpublish: 'restrict' } },
      { apiName: 'text', type: 'richText', localized: false },
      { apiName: 'picture', type: 'media', localized: false },
      { apiName: 'facts', type: 'json' },
    ],
  });
});

const story = async (title: string, fields: object = {}): Promise<string> =>
  (await createEntry(app(), desk.project, { contentTypeApiName: 'story', fields: { title, ...fields } })).id;
const link = (id: string) => ({ _ref: id });
const mention = (entryId: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'entryMention', attrs: { entryId } }] }],
});

interface Dependency {
  readonly id: string;
  readonly kind: string;
  readonly depth: number;
  readonly title: string;
  readonly links: readonly object[];
}
const dependencies = async (id: string, query = ''): Promise<Dependency[]> =>
  (await desk.get(`/entries/${id}/dependencies${query}`)).body.data as Dependency[];
const ids = async (id: string, query = ''): Promise<string[]> =>
  (await dependencies(id, query)).map((one) => `${String(one.depth)} ${one.id}`);
const change = async (id: string, fields: object): Promise<void> => {
  const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
  await desk.put(`/entries/${id}`, { version, fields });
};

describe('GET dependencies', () => {
  it('lists what drafts and published documents link to, with field, locale and where the link is', async () => {
    const [a, b, c] = [await story('A'), await story('B'), await story('C')];
    const asset = await uploadAsset(app(), desk.project);
    const facts = { entryId: c, _ref: c };
    const from = await story('From', {
      teaser: link(a),
      text: mention(b),
      picture: { _ref: asset.id },
      facts,
    });
    await publish(app(), desk.project, from);
    await change(from, { teaser: link(c), text: null });
    const found = await dependencies(from);
    const common = { entryId: from, inDraft: true, inPublished: true };
    expect(Object.fromEntries(found.map(({ id, ...rest }) => [id, rest]))).toEqual({
      [a]: expect.objectContaining({
        kind: 'entry',
        depth: 1,
        title: 'A',
        contentTypeApiName: 'story',
        status: 'draft',
        siteId: desk.project.siteId,
        links: [{ ...common, targetId: a, fieldApiName: 'teaser', locale: 'en', inDraft: false }],
      }),
      [b]: expect.objectContaining({
        links: [{ ...common, targetId: b, fieldApiName: 'text', locale: null, inDraft: false }],
      }),
      [c]: expect.objectContaining({
        links: [{ ...common, targetId: c, fieldApiName: 'teaser', locale: 'en', inPublished: false }],
      }),
      [asset.id]: expect.objectContaining({
        kind: 'asset',
        contentTypeApiName: null,
        links: [{ ...common, targetId: asset.id, fieldApiName: 'picture', locale: null }],
      }),
    });
    for (const target of [a, b, c]) expect(await ids(target, '?direction=in')).toEqual([`1 ${from}`]);
  });

  it('follows links in both directions up to the depth asked for, and around circles once', async () => {
    const last = await story('Last');
    const middle = await story('Middle', { next: link(last) });
    const first = await story('First', { next: link(middle) });
    await change(last, { teaser: link(first) });
    expect(await ids(first)).toEqual([`1 ${middle}`]);
    expect(await ids(first, '?depth=2')).toEqual([`1 ${middle}`, `2 ${last}`]);
    expect(await ids(first, '?depth=5')).toEqual([`1 ${middle}`, `2 ${last}`]);
    expect(await ids(first, '?depth=5&direction=in')).toEqual([`1 ${last}`, `2 ${middle}`]);
    for (const query of ['?depth=0', '?depth=6', '?direction=up'])
      expect(outcome(await desk.get(`/entries/${first}/dependencies${query}`))).toEqual([
        422,
        'validation_failed',
      ]);
  });

  it('finds links in own blocks, in drafts and published documents', async () => {
    await createLeafletTypes(desk);
    const target = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const made = await leaflet(desk, { title: 'L', sections: [section({ author: link(target.id) })] });
    await publish(app(), desk.project, made.id);
    const [found] = await dependencies(target.id, '?direction=in');
    expect(found).toMatchObject({
      id: made.id,
      links: [{ entryId: made.id, targetId: target.id, inDraft: true, inPublished: true }],
    });
    expect((await dependencies(made.id)).map(({ id }) => id)).toEqual([target.id]);
  });

  it('forgets the published links of what is unpublished, and leaves out what is deleted', async () => {
    const target = await story('Target');
    const from = await story('From', { teaser: link(target) });
    await publish(app(), desk.project, from);
    await change(from, { teaser: null });
    expect(await ids(target, '?direction=in')).toEqual([`1 ${from}`]);
    await desk.post(`/entries/${from}/unpublish`, {});
    expect(await ids(target, '?direction=in')).toEqual([]);
    await change(from, { teaser: link(target) });
    await desk.delete(`/entries/${from}`);
    expect(await ids(target, '?direction=in')).toEqual([]);
  });

  it('leaves out what the caller cannot read', async () => {
    const target = await story('Target');
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const from = await story('From', { teaser: link(target), next: link(author.id) });
    const grant = { resource: 'entries', action: 'read', scope: { contentTypes: ['story'] } };
    const reader = desk.as(await sessionWith(app(), desk.project, [grant]));
    const { body } = await reader.get(`/entries/${from}/dependencies`);
    expect((body.data as Dependency[]).map(({ id }) => id)).toEqual([target]);
    expect((await ids(from)).length).toBe(2);
  });
});

describe('A dry run', () => {
  it('of a publication lists what would be published with it, and publishes nothing', async () => {
    const target = await story('Target');
    const from = await story('From', { teaser: link(target) });
    const plan = async (body: object) =>
      (await desk.post(`/entries/${from}/publish`, { dryRun: true, ...body })).body;
    const own = {
      entryId: from,
      contentTypeApiName: 'story',
      title: 'From',
      locale: 'en',
      isDependency: false,
    };
    expect((await plan({})).meta).toEqual({ publishes: [own] });
    const { data, meta } = await plan({ withDependencies: true });
    expect(meta.publishes).toEqual([own, { ...own, entryId: target, title: 'Target', isDependency: true }]);
    expect(data).toMatchObject({ id: from, status: 'draft' });
    for (const id of [from, target])
      expect((await desk.get(`/entries/${id}`)).body.data).toMatchObject({ status: 'draft' });
    await publish(app(), desk.project, from);
    expect((await plan({})).meta).toEqual({ publishes: [] });
  });

  it('of unpublishing and deletion lists the links that would break, and changes nothing', async () => {
    const target = await story('Target');
    const from = await story('From', { teaser: link(target) });
    await publish(app(), desk.project, target);
    await publish(app(), desk.project, from);
    const broken = [
      {
        entryId: from,
        contentTypeApiName: 'story',
        title: 'From',
        siteId: desk.project.siteId,
        fieldApiName: 'teaser',
        locale: 'en',
        isRestricting: false,
      },
    ];
    const unpublished = await desk.post(`/entries/${target}/unpublish`, { dryRun: true });
    expect(unpublished.body).toMatchObject({
      data: { status: 'published' },
      meta: { isRefused: false, broken },
    });
    const deleted = await desk.delete(`/entries/${target}?dryRun=true`);
    expect(deleted.body.meta).toEqual({ isRefused: false, broken });
    expect((await desk.get(`/entries/${target}`)).body.data).toMatchObject({ status: 'published' });
    const { body } = await desk.post(`/entries/${target}/unpublish`, {});
    expect(body.meta.warnings).toEqual([
      { code: 'still_referenced', message: 'Links of 1 published entry no longer show the entry.' },
    ]);
    const again = await desk.post(`/entries/${target}/unpublish`, { dryRun: true });
    expect(again.body.meta).toEqual({ isRefused: false, broken: [] });
  });

  it('lists what keeps an entry published, although the call would be refused', async () => {
    const target = await story('Target');
    const from = await story('From', { next: link(target) });
    await publish(app(), desk.project, target);
    await publish(app(), desk.project, from);
    const expected = { isRefused: true, broken: [{ entryId: from, isRestricting: true }] };
    const plans = [
      await desk.post(`/entries/${target}/unpublish`, { dryRun: true }),
      await desk.delete(`/entries/${target}?dryRun=true`),
    ];
    for (const { status, body } of plans) expect([status, body]).toMatchObject([200, { meta: expected }]);
    expect(outcome(await desk.post(`/entries/${target}/unpublish`, {}))).toEqual([409, 'entry_in_use']);
  });

  it('knows that a link does not break where a fallback shows its target', async () => {
    const target = await story('Target');
    const { version } = (await desk.get(`/entries/${target}`)).body.data as { version: number };
    await desk.put(`/entries/${target}`, { version, locale: 'de', fields: { teaser: null } });
    const from = await story('From', {});
    const draft = (await desk.get(`/entries/${from}`)).body.data as { version: number };
    await desk.put(`/entries/${from}`, {
      version: draft.version,
      locale: 'de',
      fields: { teaser: link(target) },
    });
    for (const locale of ['en', 'de']) await publish(app(), desk.project, target, locale);
    await publish(app(), desk.project, from, 'de');
    const broken = async (locale: string) =>
      (await desk.post(`/entries/${target}/unpublish`, { dryRun: true, locale })).body.meta
        .broken as object[];
    expect(await broken('de')).toEqual([]);
    expect((await desk.post(`/entries/${target}/unpublish`, { locale: 'de' })).body.meta).toBeUndefined();
    expect(await broken('en')).toMatchObject([{ entryId: from, locale: 'de' }]);
  });
});
