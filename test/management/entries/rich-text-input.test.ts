import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { Agents, useTool } from '../../mcp/agents.js';
import { createType } from '../../support/factories/content.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;
let agents: Agents;

beforeAll(async () => {
  desk = await openDesk(app());
  agents = new Agents(app(), desk.project);
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

afterAll(() => agents.close());

const create = (fields: object) =>
  desk.post('/entries', { contentTypeApiName: 'page', siteId: desk.project.siteId, fields });

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (value: string, ...marks: string[]) => ({
  type: 'text',
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
  text: value,
});
const doc = (...content: object[]) => ({ type: 'doc', content });

describe('Rich text', () => {
  verifies('content/rich-text-input', 'content/pasted-html', 'content/editor-json');

  it('is converted from HTML, alone and in a list, and can be published', async () => {
    const fields = { body: { html: '<p>A <b>bold</b> word</p>' }, notes: [{ html: '<p>One</p>' }, doc()] };
    const { body, status } = await create(fields);
    expect([status, body.meta]).toEqual([201, undefined]);
    expect(body.data.fields).toEqual({
      body: doc(paragraph(text('A '), text('bold', 'bold'), text(' word'))),
      notes: [doc(paragraph(text('One'))), doc()],
    });
    expect((await desk.post(`/entries/${body.data.id}/publish`, {})).status).toBe(200);
    const live = await send(app(), {
      method: 'GET',
      path: `${desk.project.delivery}/entries/${body.data.id}`,
    });
    expect(live.body.data.fields.body).toMatchObject({
      html: '<p>A <strong>bold</strong> word</p>',
      text: 'A bold word',
    });
  });

  it('is converted from Markdown', async () => {
    const { body } = await create({});
    const markdown = '# Title\n\n- one\n- **two**\n\n```js\ncode\n```\n\n| a |\n|---|\n| b |';
    const change = { version: 1, fields: { body: { markdown } } };
    const updated = await desk.put(`/entries/${body.data.id}`, change);
    expect(updated.status).toBe(200);
    expect(updated.body.meta).toBeUndefined();
    const { content } = updated.body.data.fields.body as { content: { type: string }[] };
    expect(content.map(({ type }) => type)).toEqual(['heading', 'bulletList', 'codeBlock', 'table']);
    const again = await desk.put(`/entries/${body.data.id}`, { ...change, version: 2 });
    expect(again.body.data.version).toBe(2);
  });

  it('keeps no script, unsafe link or foreign embed, and lists what was dropped', async () => {
    const html = [
      '<script>steal()</script><style>p{}</style><p style="color:red" onclick="steal()">Text</p>',
      '<a href="javascript:steal()">link</a><iframe src="https://evil.example"></iframe>',
      '<img src=x onerror="steal()"><svg><script>steal()</script></svg><object data="x"></object>',
    ].join('');
    const { body, status } = await create({ body: { html } });
    expect(status).toBe(201);
    const stored = JSON.stringify(body.data.fields.body);
    expect(stored).not.toMatch(/steal|evil|script|onclick|onerror/);
    expect(stored).toContain('link');
    const { warnings } = body.meta as { warnings: { code: string; message: string; path: string[] }[] };
    const said = warnings.map(({ code, message }) => `${code}: ${message}`);
    for (const part of [
      'element script',
      'element iframe',
      'element img',
      'attribute style',
      'attribute onclick',
    ])
      expect(said.some((one) => one.includes(part))).toBe(true);
    expect(said).toContain('link_dropped: A link with the scheme javascript was dropped once.');
    expect(new Set(warnings.map(({ path }) => path.join('.')))).toEqual(new Set(['fields.body']));
  });

  it('cleans HTML in Markdown in the same way', async () => {
    const markdown = 'a <script>steal()</script> [b](javascript:steal()) <b onclick="steal()">c</b>';
    const { body } = await create({ body: { markdown } });
    expect(JSON.stringify(body.data.fields.body)).not.toMatch(/onclick|"script"|"href"/);
    expect(body.meta.warnings.length).toBeGreaterThan(0);
  });

  it('of Google Docs keeps its bold and italic text, and no more', async () => {
    const html =
      '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:400">plain </span><span style="font-weight:700">bold</span><span style="font-style:italic"> it</span></p></b>';
    const { body } = await create({ body: { html } });
    expect(body.data.fields.body).toEqual(
      doc(paragraph(text('plain '), text('bold', 'bold'), text(' it', 'italic'))),
    );
    expect(body.meta.warnings.map(({ message }: { message: string }) => message)).toEqual([
      'The attribute id was dropped once.',
    ]);
  });

  it('of TipTap is accepted with the nulls of its attributes', async () => {
    const link = { type: 'link', attrs: { href: '/a', target: null, rel: null, class: null } };
    const written = doc({
      type: 'paragraph',
      attrs: { textAlign: null },
      content: [{ type: 'text', marks: [link], text: 'a' }],
    });
    const { body, status } = await create({ body: written });
    expect([status, body.data?.fields.body]).toEqual([201, written]);
  });

  it('is converted in rich-text fields only', async () => {
    const data = { html: '<p>kept</p>' };
    expect((await create({ data })).body.data.fields).toEqual({ data });
    expect(outcome(await create({ title: data }))).toEqual([422, 'validation_failed']);
  });

  it.each([
    ['html and markdown together', { html: 'a', markdown: 'b' }, 'invalid_document'],
    ['a number', { html: 7 }, 'invalid_document'],
    ['too many characters', { html: 'x'.repeat(limits.conversionCharacters + 1) }, 'too_long'],
    ['too many tags', { html: '<b>'.repeat(limits.conversionTags + 1) }, 'too_complex'],
    ['deep nesting', { html: '<blockquote>'.repeat(15_000) }, 'too_deep'],
    ['nesting beyond that of documents', { markdown: `${'> '.repeat(60)}a` }, 'too_deep'],
  ])('returns 422 for %s', async (_what, body, code) => {
    const response = await create({ body });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    const [[path, found] = []] = issues(response);
    expect([path?.startsWith('fields.body'), found]).toEqual([true, code]);
  });

  it('is accepted from agents and tRPC clients', async () => {
    const client = await agents.connect(desk.project.keys.management);
    const input = {
      contentTypeApiName: 'page',
      siteId: desk.project.siteId,
      fields: { body: { markdown: '*Hello*<iframe></iframe>' } },
    };
    const reply = await useTool(client, 'create_entry', input);
    expect(reply.structuredContent).toMatchObject({
      data: { fields: { body: doc(paragraph(text('Hello', 'italic'))) } },
      meta: { warnings: [{ code: 'element_dropped' }] },
    });
    const { body } = await send(app(), {
      method: 'POST',
      path: '/api/trpc/entries.create',
      key: desk.project.keys.management,
      body: { projectSlug: desk.project.slug, ...input },
    });
    expect(body.result.data.data.fields.body).toEqual(doc(paragraph(text('Hello', 'italic'))));
  });

  it('does not block other requests while it is converted', async () => {
    const { markup } = app().composition.services;
    const place = { projectSlug: desk.project.slug };
    await markup.convert({ html: 'a' }, place);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await markup.convert({ html: '<p>x</p>'.repeat(4000) }, place);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
