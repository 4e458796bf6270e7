import { beforeAll, describe, expect, it } from '@jest/globals';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { readHealth } from '../reports/read-health.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

const linkTo = (attrs: object) => ({ type: 'link', attrs });
const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, marks });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const doc = (...content: object[]) => ({ type: 'doc', content });

const linking = (entryId: string) => doc(paragraph(text('here', linkTo({ entryId }))));
const mentioning = (entryId: string) => doc(paragraph({ type: 'entryMention', attrs: { entryId } }));
const embedding = (entryId: string) => doc({ type: 'entryEmbed', attrs: { entryId } });

/** Each way in which a text names an entry. */
const ways = [
  ['a link', linking],
  ['a mention', mentioning],
  ['an embed', embedding],
] as const;

const typesOf = async (to: Desk): Promise<void> => {
  await createType(to.app, to.project, {
    apiName: 'story',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'body', type: 'richText' },
      { apiName: 'notes', type: 'richText', isList: true, localized: false },
      {
        apiName: 'strict',
        type: 'richText',
        validations: { allowedEmbeds: ['author'], allowedLinks: ['story', 'image/*'] },
      },
    ],
  });
};

beforeAll(async () => {
  desk = await openDesk(app());
  await typesOf(desk);
});

const story = (fields: Record<string, unknown> = {}, on: Desk = desk): Promise<TestEntry> =>
  createEntry(on.app, on.project, { contentTypeApiName: 'story', fields: { title: 'Story', ...fields } });
const publishing = (id: string, body: object = {}) => desk.post(`/entries/${id}/publish`, body);

describe('An entry that a text names', () => {
  verifies('content/rich-text-references');

  it.each(ways)('lists the entry with %s to it', async (_way, naming) => {
    const target = await story();
    const { id } = await story({ body: naming(target.id), notes: [doc(), naming(target.id)] });
    const { body } = await desk.get(`/entries/${target.id}/references`);
    const found = body.data as { entryId: string; fieldApiName: string; locale: string | null }[];
    expect(found.map(({ entryId, fieldApiName, locale }) => [entryId, fieldApiName, locale])).toEqual(
      expect.arrayContaining([
        [id, 'body', 'en'],
        [id, 'notes', null],
      ]),
    );
    expect(found).toHaveLength(2);
    await desk.put(`/entries/${id}`, { version: 1, fields: { body: null, notes: [] } });
    expect((await desk.get(`/entries/${target.id}/references`)).body.meta.total).toBe(0);
  });

  it.each(ways)('is deleted with a warning while there is %s to it', async (_way, naming) => {
    const target = await story();
    const { id } = await story({ body: naming(target.id) });
    const { body } = await desk.delete(`/entries/${target.id}?version=1`);
    expect(body.meta.warnings).toEqual([
      { code: 'still_referenced', message: '1 entry refers to the deleted one.' },
    ]);
    const refused = await publishing(id);
    expect([outcome(refused), issues(refused)]).toEqual([
      [422, 'entry_invalid'],
      [['fields.body', 'broken_reference']],
    ]);
  });

  it.each(ways)('is published along with the entry that has %s to it', async (_way, naming) => {
    const far = await story({}, desk);
    const near = await story({ notes: [naming(far.id)] });
    const { id } = await story({ body: naming(near.id) });
    expect((await publishing(id, { withDependencies: true })).status).toBe(200);
    for (const one of [near, far])
      expect((await desk.get(`/entries/${one.id}`)).body.data.status).toBe('published');
  });

  it('is named by the validation of a draft until it is published', async () => {
    const target = await story();
    const { id } = await story({ body: mentioning(target.id) });
    const validation = async () => (await desk.get(`/entries/${id}/validation`)).body.data as object;
    expect(await validation()).toMatchObject({
      isPublishable: true,
      warnings: [{ path: ['fields', 'body'], code: 'not_published' }],
    });
    await publish(app(), desk.project, target.id);
    expect(await validation()).toMatchObject({ isPublishable: true, warnings: [] });
  });

  it('does not exist for the entries of other tenants, whose ids say nothing', async () => {
    const other = await openDesk(app());
    await typesOf(other);
    const foreign = await story({}, other);
    const nowhere = '01a20000-0000-7000-8000-0000000000ff';
    for (const target of [foreign.id, nowhere]) {
      const { id } = await story({ body: linking(target) });
      const refused = await publishing(id);
      expect(issues(refused)).toEqual([['fields.body', 'broken_reference']]);
      expect(JSON.stringify(refused.body).replaceAll(target, '')).not.toContain('Story');
    }
    expect((await other.get(`/entries/${foreign.id}/references`)).body.meta.total).toBe(0);
  });

  it('is followed by a copy of the entry itself', async () => {
    const { id } = await story();
    await desk.put(`/entries/${id}`, { version: 1, fields: { body: linking(id), notes: [mentioning(id)] } });
    const { body } = await desk.post(`/entries/${id}/duplicate`, {});
    const copy = body.data as TestEntry;
    expect(copy.fields).toMatchObject({ body: linking(copy.id), notes: [mentioning(copy.id)] });
    expect((await desk.get(`/entries/${id}/references`)).body.meta.total).toBe(0);
  });
});

describe('A field of text', () => {
  verifies('content/rich-text-references');

  it('takes only entries and assets of the types that it allows', async () => {
    const target = await story();
    const picture = await uploadAsset(app(), desk.project);
    const allowed = doc(
      paragraph(text('a', linkTo({ entryId: target.id })), text('b', linkTo({ assetId: picture.id }))),
    );
    expect((await publishing((await story({ strict: allowed })).id)).status).toBe(200);
    const forbidden = doc(
      { type: 'entryEmbed', attrs: { entryId: target.id } },
      { type: 'assetEmbed', attrs: { assetId: picture.id } },
    );
    expect(issues(await publishing((await story({ strict: forbidden })).id))).toEqual([
      ['fields.strict', 'embed_not_allowed'],
      ['fields.strict', 'embed_not_allowed'],
    ]);
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    expect(issues(await publishing((await story({ strict: mentioning(author.id) })).id))).toEqual([
      ['fields.strict', 'link_not_allowed'],
    ]);
  });

  it('cannot allow a type that does not exist, and is listed before the deletion of one that it allows', async () => {
    const field = { apiName: 'aside', type: 'richText', validations: { allowedLinks: ['nothing'] } };
    const { body } = await desk.post('/content-types/story/fields', field);
    expect(body).toMatchObject({
      error: 'content_type_not_found',
      details: { path: ['validations', 'allowedLinks', 0] },
    });
    await createType(app(), desk.project, { apiName: 'badge', fields: [{ apiName: 'name', type: 'text' }] });
    await createType(app(), desk.project, {
      apiName: 'card',
      fields: [{ apiName: 'body', type: 'richText', validations: { allowedEmbeds: ['badge'] } }],
    });
    const badge = await createEntry(app(), desk.project, { contentTypeApiName: 'badge' });
    await createEntry(app(), desk.project, {
      contentTypeApiName: 'card',
      fields: { body: embedding(badge.id) },
    });
    const check = await desk.get('/content-types/badge/delete-check');
    expect(check.body.data.referencedBy).toEqual([
      { contentTypeApiName: 'card', fieldApiName: 'body', count: 1 },
    ]);
  });
});

describe('A required text', () => {
  verifies('content/rich-text-references');

  it('is missing in the report where it shows nothing, as it is at publish', async () => {
    await createType(app(), desk.project, {
      apiName: 'needy',
      fields: [{ apiName: 'body', type: 'richText', required: true }],
    });
    const target = await story();
    const needy = (body: object) =>
      createEntry(app(), desk.project, { contentTypeApiName: 'needy', fields: { body } });
    const blank = await needy(doc(paragraph(text(' ', linkTo({ entryId: target.id })))));
    const shown = await Promise.all([mentioning, embedding].map((naming) => needy(naming(target.id))));
    const { rows } = await readHealth(desk, 'limit=100&contentTypeApiName=needy');
    const missing = rows.filter(({ issues: found }) => found.some(({ code }) => code === 'missing_required'));
    expect(missing.map(({ entryId }) => entryId)).toEqual([blank.id]);
    expect(issues(await publishing(blank.id))).toEqual([['fields.body', 'required']]);
    for (const { id } of shown) expect((await publishing(id)).status).toBe(200);
  });
});

describe('An asset that a text links to', () => {
  verifies('content/rich-text-references');

  it('counts as used, and is not deleted', async () => {
    const picture: TestAsset = await uploadAsset(app(), desk.project);
    const { id } = await story({ body: doc(paragraph(text('file', linkTo({ assetId: picture.id })))) });
    const { body } = await desk.get(`/media/${picture.id}/references`);
    expect((body.data as { entryId: string }[]).map(({ entryId }) => entryId)).toEqual([id]);
    expect((await desk.get(`/media/${picture.id}`)).body.data.usageCount).toBe(1);
    expect(outcome(await desk.delete(`/media/${picture.id}`))).toEqual([409, 'media_in_use']);
  });
});

describe('References in texts', () => {
  verifies('content/rich-text-references');

  it('come along in a branch and in its promotion', async () => {
    const target = await story();
    const source = await story();
    const branch = await branchOf(app(), desk.project);
    const there = desk.in(branch.environment);
    await there.put(`/entries/${source.id}`, { version: 1, fields: { body: linking(target.id) } });
    expect((await there.get(`/entries/${target.id}/references`)).body.meta.total).toBe(1);
    expect((await desk.get(`/entries/${target.id}/references`)).body.meta.total).toBe(0);
    const made = await there.post('/entries', {
      contentTypeApiName: 'story',
      siteId: desk.project.siteId,
      fields: { title: 'Made there' },
    });
    await there.put(`/entries/${source.id}`, {
      version: 2,
      fields: { notes: [embedding((made.body.data as TestEntry).id)] },
    });
    const promoted = await desk.post(`/environments/${branch.environment}/promote`, {
      mode: 'cherryPick',
      items: [{ kind: 'entry', id: source.id }],
      includeDependencies: true,
    });
    expect(promoted.body.data).toMatchObject({ status: 'succeeded', summary: { created: 1, updated: 1 } });
    expect((await desk.get(`/entries/${target.id}/references`)).body.meta.total).toBe(1);
    expect((await desk.get(`/entries/${made.body.data.id}/references`)).body.meta.total).toBe(1);
  });
});
