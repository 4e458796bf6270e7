import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { Agents, useTool } from '../../mcp/agents.js';
import { createType, type TestEntry } from '../../support/factories/content.js';
import { png, uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { file, Origin } from '../../support/origin.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

verifies('content/rich-text-images');

const app = useApp();
const origin = new Origin();
let desk: Desk;

beforeAll(async () => {
  await origin.open();
  desk = await openDesk(app());
  await createType(app(), desk.project, {
    apiName: 'page',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'body', type: 'richText' },
      { apiName: 'notes', type: 'richText', isList: true },
      { apiName: 'data', type: 'json' },
    ],
  });
});

afterAll(() => {
  origin.close();
});

const entryOf = (fields: object) => ({ contentTypeApiName: 'page', siteId: desk.project.siteId, fields });
const create = (fields: object, by: Desk = desk) => by.post('/entries', entryOf(fields));
const assets = async (): Promise<TestAsset[]> =>
  (await desk.get('/media?limit=100')).body.data as TestAsset[];

interface Embed {
  readonly type: string;
  readonly attrs?: { readonly assetId?: string };
}
const contentOf = ({ fields }: TestEntry, name = 'body') => (fields[name] as { content: Embed[] }).content;
const warningsOf = (body: { meta?: { warnings?: { code: string; message: string }[] } }) =>
  (body.meta?.warnings ?? []).map(({ code, message }) => `${code}: ${message}`);

describe('An image in HTML', () => {
  it('becomes the embed of the asset that its URL shows, without being asked for', async () => {
    const picture = await uploadAsset(app(), desk.project);
    const sources = [picture.url, `${picture.url}?w=64`, `/media/${picture.url.split('/media/')[1] ?? ''}`];
    const html = sources
      .map((src) => `<p><img src="${src.replaceAll('&', '&amp;')}" alt="A harbour"></p>`)
      .join('');
    const { body } = await create({ body: { html } });
    expect(contentOf(body.data)).toEqual(
      sources.map(() => ({ type: 'assetEmbed', attrs: { assetId: picture.id, alt: 'A harbour' } })),
    );
    expect(warningsOf(body)).toEqual([]);
    const foreign = `https://elsewhere.example${picture.url.replace(/^https?:\/\/[^/]+/, '')}`;
    const other = picture.url.replace(desk.project.slug, 'other-project');
    const none = await create({ body: { html: `<p>a</p><img src="${foreign}"><img src="${other}">` } });
    expect(contentOf(none.body.data).map(({ type }) => type)).toEqual(['paragraph']);
    expect(warningsOf(none.body)).toContain('element_dropped: The element img was dropped 2 times.');
  });

  it('is imported where importImages asks for it, once for equal sources and equal files', async () => {
    const bytes = png();
    const url = origin.serve('/pictures/gate.png', file(bytes));
    const same = origin.serve('/copies/gate.png', file(bytes));
    const html = `<figure><img src="${url}" alt="A gate"><figcaption>The gate</figcaption></figure><img src="${url}"><img src="${same}" alt="A gate">`;
    const { body, status } = await create({
      body: { html, importImages: true },
      notes: [
        { markdown: `![A gate](${url})`, importImages: true },
        { markdown: 'b', importImages: false },
      ],
    });
    expect([status, warningsOf(body)]).toEqual([201, []]);
    const embeds = contentOf(body.data);
    const assetId = embeds[0]?.attrs?.assetId ?? '';
    expect(embeds).toEqual([
      { type: 'assetEmbed', attrs: { assetId, alt: 'A gate', caption: 'The gate' } },
      { type: 'assetEmbed', attrs: { assetId } },
      { type: 'assetEmbed', attrs: { assetId, alt: 'A gate' } },
    ]);
    expect((body.data.fields.notes as { content: Embed[] }[])[0]?.content).toEqual([
      { type: 'assetEmbed', attrs: { assetId, alt: 'A gate' } },
    ]);
    expect(origin.requests.filter((path) => path === '/pictures/gate.png')).toHaveLength(1);
    const asset = (await desk.get(`/media/${assetId}`)).body.data as TestAsset;
    expect(asset).toMatchObject({
      fileName: 'gate.png',
      mimeType: 'image/png',
      altText: 'A gate',
      usageCount: 1,
    });
    expect((await desk.post(`/entries/${body.data.id}/publish`, {})).status).toBe(200);
  });

  it('is imported on update, in a batch and for agents', async () => {
    const url = (name: string) => origin.serve(`/${name}.png`, file(png()));
    const text = (name: string) => ({ html: `<img src="${url(name)}">`, importImages: true });
    const made = await create({});
    const updated = await desk.put(`/entries/${made.body.data.id}`, {
      version: 1,
      fields: { body: text('update') },
    });
    expect(contentOf(updated.body.data).map(({ type }) => type)).toEqual(['assetEmbed']);
    const batch = await desk.post('/entries/batch', {
      items: [{ action: 'create', ...entryOf({ body: text('batch') }) }],
    });
    const { entryId } = batch.body.data.results[0] as { entryId: string };
    const found = (await desk.get(`/entries/${entryId}`)).body.data as TestEntry;
    expect(contentOf(found).map(({ type }) => type)).toEqual(['assetEmbed']);
    const agents = new Agents(app(), desk.project);
    const client = await agents.connect(desk.project.keys.management);
    const reply = await useTool(client, 'create_entry', entryOf({ body: text('agent') }));
    expect(reply.structuredContent).toMatchObject({
      data: { fields: { body: { content: [{ type: 'assetEmbed' }] } } },
    });
    await agents.close();
  });

  it('is imported from its own bytes', async () => {
    const src = `data:image/png;base64,${png().toString('base64')}`;
    const { body } = await create({ body: { html: `<p>a</p><img src="${src}">`, importImages: true } });
    expect(contentOf(body.data).map(({ type }) => type)).toEqual(['paragraph', 'assetEmbed']);
    const broken = `data:image/png;base64,${Buffer.from('<script>').toString('base64')}`;
    const refused = await create({ body: { html: `<p>a</p><img src="${broken}">`, importImages: true } });
    expect(contentOf(refused.body.data).map(({ type }) => type)).toEqual(['paragraph']);
    expect(warningsOf(refused.body).join()).toMatch(
      /image_not_imported: The image data:image\/png.* was not imported/,
    );
  });

  it('is named in warnings where it cannot be imported, and the entry is written', async () => {
    const before = (await assets()).length;
    const missing = `${origin.serve('/there', file(png())).replace('/there', '')}/missing.png`;
    const page = origin.serve('/page.txt', file(Buffer.from('Plain text, not a picture.')));
    const sources = [
      ['https://10.0.0.1/a.png', 'import_url_refused, address_not_allowed'],
      ['http://169.254.169.254/latest/meta-data/', 'import_url_refused, scheme_not_allowed'],
      ['file:///etc/passwd', 'import_url_refused, scheme_not_allowed'],
      [missing, 'import_failed, unexpected_status'],
      [page, 'import_failed, not_an_image'],
    ] as const;
    const html = `<p>kept</p>${sources.map(([src]) => `<img src="${src}">`).join('')}`;
    const { body, status } = await create({ body: { html, importImages: true } });
    expect([status, contentOf(body.data).map(({ type }) => type)]).toEqual([201, ['paragraph']]);
    expect(warningsOf(body)).toEqual(
      expect.arrayContaining([
        'element_dropped: The element img was dropped 5 times.',
        ...sources.map(
          ([src, reason]) => `image_not_imported: The image ${src} was not imported: ${reason}.`,
        ),
      ]),
    );
    expect((await assets()).length).toBe(before);
  });

  it('is not imported beyond the limit of a request, from other kinds of fields, or in a dry run', async () => {
    const requests = () => origin.requests.length;
    const before = requests();
    const data = { html: `<img src="${origin.serve('/json.png', file(png()))}">`, importImages: true };
    expect((await create({ data })).body.data.fields.data).toEqual(data);
    const many = Array.from({ length: limits.importedImages + 2 }, (_, index) =>
      origin.serve(`/many-${String(index)}.png`, file(png())),
    );
    const html = many.map((src) => `<img src="${src}">`).join('');
    const { body } = await create({ body: { html, importImages: true } });
    expect(contentOf(body.data)).toHaveLength(limits.importedImages);
    expect(
      warningsOf(body).filter((warning) => warning.endsWith('was not imported: limit_reached.')),
    ).toHaveLength(2);
    expect(requests()).toBe(before + limits.importedImages);
    const agents = new Agents(app(), desk.project);
    const client = await agents.connect(desk.project.keys.management);
    const dry = { html: `<p>a</p><img src="${origin.serve('/dry.png', file(png()))}">`, importImages: true };
    await useTool(client, 'create_entry', { ...entryOf({ body: dry }), dryRun: true });
    expect(origin.requests).not.toContain('/dry.png');
    await agents.close();
  });

  it('needs the right to create assets, and importImages is true or false', async () => {
    const key = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
    const html = `<img src="${origin.serve('/right.png', file(png()))}">`;
    const refused = await create({ body: { html, importImages: true } }, desk.as(key.secret));
    expect([...outcome(refused), origin.requests.includes('/right.png')]).toEqual([
      ...[403, 'permission_denied', false],
    ]);
    expect((await create({ body: { html } }, desk.as(key.secret))).status).toBe(201);
    expect(outcome(await create({ body: { html, importImages: 'yes' } }))).toEqual([
      422,
      'validation_failed',
    ]);
    expect(outcome(await create({ body: { importImages: true } }))).toEqual([422, 'validation_failed']);
  });
});
