import { beforeAll, describe, expect, it } from '@jest/globals';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, type TestEntry } from '../../support/factories/content.js';
import { png, uploadAsset } from '../../support/factories/media.js';
import { blockId, blocksIn } from '../../support/factories/own-blocks.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { readHealth } from '../reports/read-health.js';

verifies('content/rich-text-references');

const app = useApp();
let desk: Desk;

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const doc = (...content: object[]) => ({ type: 'doc', content });
const linking = (attrs: object) =>
  doc(paragraph({ type: 'text', text: 'here', marks: [{ type: 'link', attrs }] }));
const mentioning = (entryId: string) => doc(paragraph({ type: 'entryMention', attrs: { entryId } }));
const embedding = (entryId: string) => doc({ type: 'entryEmbed', attrs: { entryId } });

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de'] });
  const text = { apiName: 'text', type: 'richText' };
  const strict = {
    apiName: 'strict',
    type: 'richText',
    validations: { allowedEmbeds: ['image/*'], allowedLinks: ['article'] },
  };
  await createType(app(), desk.project, { apiName: 'remark', isBlock: true, fields: [text] });
  await createType(app(), desk.project, {
    apiName: 'part',
    isBlock: true,
    fields: [text, strict, { apiName: 'remarks', type: 'blocks', settings: { contentTypes: ['remark'] } }],
  });
  await createType(app(), desk.project, {
    apiName: 'poster',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'parts', type: 'blocks', localized: false, settings: { contentTypes: ['part'] } },
    ],
  });
});

const poster = (fields: object = {}): Promise<TestEntry> =>
  createEntry(app(), desk.project, {
    contentTypeApiName: 'poster',
    fields: { title: 'Poster', ...fields },
  });
const part = (fields: object) => ({ _type: 'part', fields });
const nested = (text: object) => part({ remarks: [{ _type: 'remark', fields: { text } }] });

const publishing = (id: string, body: object = {}) => desk.post(`/entries/${id}/publish`, body);
const references = (id: string) => desk.get(`/entries/${id}/references`);

/** A poster that names an entry in a block and in a nested one. */
const namingTwice = (id: string) =>
  poster({ parts: [part({ text: mentioning(id) }), nested(embedding(id))] });

/** Both places, whose blocks are named by their ids. */
const atBoth = (code: string) => [
  [expect.stringMatching(/^fields\.parts\.[-\da-f]{36}\.fields\.text$/), code],
  [expect.stringMatching(/^fields\.parts\.[-\da-f]{36}\.fields\.remarks\.[-\da-f]{36}\.fields\.text$/), code],
];

describe('An entry that rich text in blocks names', () => {
  it('lists the entry that has the blocks, with the block', async () => {
    const target = await poster();
    const source = await namingTwice(target.id);
    const [first, second] = blocksIn(source, 'parts');
    const { body } = await references(target.id);
    const found = body.data as { entryId: string; fieldApiName: string; blocks: string[]; locale: string }[];
    expect(found).toHaveLength(2);
    for (const id of [first?._ref, second && blockId(second, 'remarks')])
      expect(found).toContainEqual(
        expect.objectContaining({ entryId: source.id, fieldApiName: 'text', blocks: [id], locale: 'en' }),
      );
  });

  it('is named by the validation until it is published, which the entry can bring about', async () => {
    const target = await poster();
    const { id } = await namingTwice(target.id);
    const validation = async () => {
      const { data } = (await desk.get(`/entries/${id}/validation`)).body;
      const { isPublishable, warnings } = data as {
        isPublishable: boolean;
        warnings: { path: string[]; code: string }[];
      };
      return [isPublishable, warnings.map(({ path, code }) => [path.join('.'), code])];
    };
    expect(await validation()).toEqual([true, atBoth('not_published')]);
    expect((await publishing(id, { withDependencies: true })).status).toBe(200);
    expect((await desk.get(`/entries/${target.id}`)).body.data.status).toBe('published');
    expect(await validation()).toEqual([true, []]);
  });

  it('is deleted with a warning, and then breaks the publication and is in the report', async () => {
    const target = await poster();
    const { id } = await namingTwice(target.id);
    const { body } = await desk.delete(`/entries/${target.id}?version=1`);
    expect(body.meta.warnings).toEqual([
      { code: 'still_referenced', message: '1 entry refers to the deleted one.' },
    ]);
    const refused = await publishing(id);
    expect([outcome(refused), issues(refused)]).toEqual([[422, 'entry_invalid'], atBoth('broken_reference')]);
    const { rows } = await readHealth(desk, 'limit=100&contentTypeApiName=poster');
    const row = rows.find(({ entryId }) => entryId === id);
    expect(row?.issues.filter(({ code }) => code === 'broken_reference')).toHaveLength(2);
  });

  it('is of the types that the field of the block allows', async () => {
    const target = await poster();
    const picture = await uploadAsset(app(), desk.project);
    const article = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Locks' },
    });
    const parts = (...texts: object[]) => poster({ parts: texts.map((strict) => part({ strict })) });
    const shown = doc({ type: 'assetEmbed', attrs: { assetId: picture.id } });
    const good = await parts(mentioning(article.id), shown);
    expect((await publishing(good.id)).status).toBe(200);
    const bad = await parts(mentioning(target.id), embedding(article.id), linking({ assetId: picture.id }));
    const [first, second, third] = (bad.fields.parts as { _ref: string }[]).map(
      ({ _ref: id }) => `fields.parts.${id}.fields.strict`,
    );
    expect(issues(await publishing(bad.id))).toEqual([
      [first, 'link_not_allowed'],
      [second, 'embed_not_allowed'],
      [third, 'link_not_allowed'],
    ]);
    const { body } = await desk.get(`/media/${picture.id}/references`);
    const users = (body.data as { entryId: string }[]).map(({ entryId }) => entryId);
    expect(users.sort()).toEqual([good.id, bad.id].sort());
    expect(outcome(await desk.delete(`/media/${picture.id}`))).toEqual([409, 'media_in_use']);
  });

  it('is the copy in a copy of the entry itself', async () => {
    const source = await poster({ parts: [part({}), nested(doc())] });
    const [first, second] = blocksIn(source, 'parts');
    const remark = {
      _ref: second && blockId(second, 'remarks'),
      fields: { text: linking({ entryId: source.id }) },
    };
    const parts = [
      { _ref: first?._ref, fields: { text: mentioning(source.id) } },
      { _ref: second?._ref, fields: { remarks: [remark] } },
    ];
    await desk.put(`/entries/${source.id}`, { version: 1, fields: { parts } });
    const copy = (await desk.post(`/entries/${source.id}/duplicate`, {})).body.data as TestEntry;
    expect(blocksIn(copy, 'parts')).toMatchObject([
      { fields: { text: mentioning(copy.id) } },
      { fields: { remarks: [{ fields: { text: linking({ entryId: copy.id }) } }] } },
    ]);
    // Neither lists itself.
    for (const { id } of [source, copy]) expect((await references(id)).body.meta.total).toBe(0);
  });

  it('comes along in a branch and in its promotion', async () => {
    const target = await poster();
    const source = await poster({ parts: [part({})] });
    const branch = await branchOf(app(), desk.project);
    const there = desk.in(branch.environment);
    const made = await there.post('/entries', {
      contentTypeApiName: 'poster',
      siteId: desk.project.siteId,
      fields: { title: 'Made there' },
    });
    const { id } = made.body.data as TestEntry;
    const remarks = [{ _type: 'remark', fields: { text: embedding(id) } }];
    const changed = {
      _ref: blockId(source, 'parts'),
      fields: { text: linking({ entryId: target.id }), remarks },
    };
    await there.put(`/entries/${source.id}`, { version: 1, fields: { parts: [changed] } });
    const totals = async (on: Desk) =>
      Promise.all(
        [target.id, id].map(async (one) => (await on.get(`/entries/${one}/references`)).body.meta?.total),
      );
    expect(await totals(there)).toEqual([1, 1]);
    expect(await totals(desk)).toEqual([0, undefined]);
    const promoted = await desk.post(`/environments/${branch.environment}/promote`, {
      mode: 'cherryPick',
      items: [{ kind: 'entry', id: source.id }],
      includeDependencies: true,
    });
    expect(promoted.body.data).toMatchObject({ status: 'succeeded', summary: { created: 1, updated: 1 } });
    expect(await totals(desk)).toEqual([1, 1]);
  });
});

describe('HTML in a block', () => {
  verifies('content/pasted-html', 'content/rich-text-images');

  it('is converted, its images are imported, and warnings have the path of the block', async () => {
    const src = `data:image/png;base64,${png().toString('base64')}`;
    const html = `<p>a<script>b</script></p><img src="${src}"><img src="https://10.0.0.1/c.png">`;
    const { body } = await desk.post('/entries', {
      contentTypeApiName: 'poster',
      siteId: desk.project.siteId,
      fields: { parts: [part({ text: { markdown: '*a*' } }), nested({ html, importImages: true })] },
    });
    const [first, second] = blocksIn(body.data as TestEntry, 'parts');
    expect(first?.fields.text).toEqual(
      doc(paragraph({ type: 'text', text: 'a', marks: [{ type: 'italic' }] })),
    );
    const [remark] = second === undefined ? [] : blocksIn(second, 'remarks');
    const { content } = remark?.fields.text as { content: { attrs?: { assetId: string } }[] };
    expect(content).toEqual([
      paragraph({ type: 'text', text: 'a' }),
      { type: 'assetEmbed', attrs: { assetId: content[1]?.attrs?.assetId } },
    ]);
    expect((await desk.get(`/media/${content[1]?.attrs?.assetId ?? ''}`)).body.data.usageCount).toBe(1);
    const warnings = body.meta.warnings as { message: string; path: (string | number)[] }[];
    expect(warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The element script was dropped once.',
        'The element img was dropped once.',
        expect.stringContaining('The image https://10.0.0.1/c.png was not imported: import_url_refused'),
      ]),
    );
    expect(new Set(warnings.map(({ path }) => path.join('.')))).toEqual(
      new Set(['fields.parts.1.fields.remarks.0.fields.text']),
    );
  });
});
