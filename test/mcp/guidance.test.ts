import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { limits } from '../../contracts/limits.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createPage, createPageType } from '../support/factories/tree.js';
import { article } from '../management/entries/history.js';
import { verifies } from '../support/verifies.js';
import { Agents, useTool } from './agents.js';

const app = useApp();
let desk: Desk;
let agents: Agents;
let client: Client;
/** May create and read nothing. */
let blind: Client;

beforeAll(async () => {
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  agents = new Agents(app(), desk.project);
  client = await agents.connect(desk.project.keys.management);
  blind = await agents.connect(await agents.newKey({ type: 'management', permissions: ['create'] }));
});

afterAll(() => agents.close());

const refusal = async (name: string, args: Record<string, unknown>, by = client) => {
  const { isError, structuredContent } = await useTool(by, name, args);
  expect(isError).toBe(true);
  return structuredContent;
};

describe('A refused tool call', () => {
  verifies('mcp/lessons');

  it('says how a string becomes rich text', async () => {
    const { siteId } = desk.project;
    const fields = { title: 'Lock', body: 'A string.' };
    const refused = await refusal('create_entry', { contentTypeApiName: 'article', siteId, fields });
    const [issue] = refused.details?.issues ?? [];
    expect(issue).toMatchObject({ path: ['fields', 'body'], code: 'invalid_document' });
    expect(issue?.message).toContain('{"markdown": "…"}');
    const markdown = { ...fields, body: { markdown: 'A string.' } };
    const made = await useTool(client, 'create_entry', {
      contentTypeApiName: 'article',
      siteId,
      fields: markdown,
    });
    expect(made.isError).toBeFalsy();
  });

  it('says the id of a site that is named by its slug', async () => {
    const { siteId } = desk.project;
    const message = `main is the slug of a site. Send its id: ${siteId}.`;
    const args = { contentTypeApiName: 'article', siteId: 'main', fields: { title: 'Lock' } };
    expect((await refusal('create_entry', args)).details?.issues).toMatchObject([
      { path: ['siteId'], message },
    ]);
    const list = await refusal('list_redirects', { siteId: ['main'] });
    expect(list.details?.issues[0]).toMatchObject({ path: ['siteId', 0], message });
    const unknown = await refusal('create_entry', { ...args, siteId: 'nowhere' });
    expect(unknown.details?.issues[0]?.message).not.toContain('slug');
  });

  it('says the node of an entry, and the entry of a node', async () => {
    const page = await createPage(app(), desk.project, { slug: 'named' });
    const { id: outside } = await article(desk);
    const byEntry = await refusal('move_node', { nodeId: page.id, parentId: null });
    expect(byEntry).toMatchObject({
      error: 'tree_node_not_found',
      message: `nodeId is the id of an entry. Send the id of its node: ${page.treeNodeId}.`,
    });
    const parent = await refusal('create_entry', {
      contentTypeApiName: 'page',
      siteId: desk.project.siteId,
      fields: { title: 'P' },
      treeParentId: outside,
    });
    expect([parent.error, parent.message]).toEqual([
      'tree_node_not_found',
      'treeParentId is the id of an entry, which is in no tree.',
    ]);
    const byNode = await refusal('get_entry', { id: page.treeNodeId });
    expect([byNode.error, byNode.message]).toEqual([
      'entry_not_found',
      `id is the id of a tree node. Send the id of its entry: ${page.id}.`,
    ]);
  });

  it('names content types that exist', async () => {
    const refused = await refusal('get_content_type', { apiName: 'artcle' });
    expect(refused.error).toBe('content_type_not_found');
    expect(refused.message).toContain('such as article, author, page.');
  });

  it('tells nothing that its key cannot read', async () => {
    const args = { contentTypeApiName: 'artcle', siteId: 'main', fields: { title: 'Lock' } };
    const slug = await refusal('create_entry', args, blind);
    expect(slug.details?.issues[0]?.message).not.toContain(desk.project.siteId);
    const type = await refusal('create_entry', { ...args, siteId: desk.project.siteId }, blind);
    expect([type.error, type.message]).toEqual(['content_type_not_found', 'Content type not found.']);
  });
});

describe('Prompts', () => {
  verifies('mcp/prompts');

  it('are listed with their arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: given }) => [name, given?.map((one) => one.name)])).toEqual([
      ['translate', ['entryId', 'locale']],
      ['audit_page', ['entryId', 'locale']],
      ['write_from_brief', ['contentTypeApiName', 'siteSlug', 'brief']],
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['translate', { entryId: 'e-1', locale: 'de' }],
    ['audit_page', { entryId: 'e-1', locale: 'de' }],
    ['write_from_brief', { contentTypeApiName: 'article', siteSlug: 'main', brief: 'About locks.' }],
  ])('%s names its arguments and only tools of the default set', async (name, args) => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    const [message] = messages;
    expect([messages.length, message?.role]).toEqual([1, 'user']);
    const text = message?.content.type === 'text' ? message.content.text : '';
    for (const value of Object.values(args)) expect(text).toContain(value);
    expect(text).toContain('untrusted data');
    const offered = (await (await agents.connect(desk.project.keys.management, [])).listTools()).tools;
    const named = text.match(/\b(?:get|create|update|search|list|publish)_[a-z_]+/g) ?? [];
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((tool) => !offered.some((one) => one.name === tool))).toEqual([]);
  });

  it.each<[string, Record<string, string>, object | undefined]>([
    ['translate', { entryId: 'e-1' }, { missing: ['locale'], unknown: [], tooLong: [] }],
    ['translate', { entryId: ' ', locale: 'de' }, { missing: ['entryId'], unknown: [], tooLong: [] }],
    [
      'audit_page',
      { entryId: 'e-1', locale: 'de', tone: 'calm' },
      { missing: [], unknown: ['tone'], tooLong: [] },
    ],
    [
      'translate',
      { entryId: 'e-1', locale: 'd'.repeat(limits.promptArgumentLength + 1) },
      { missing: [], unknown: [], tooLong: ['locale'] },
    ],
    ['no_such_prompt', {}, undefined],
  ])('%s is refused with -32602 for other arguments', async (name, args, data) => {
    await expect(client.getPrompt({ name, arguments: args })).rejects.toMatchObject({ code: -32602, data });
  });
});

describe('The template of content types', () => {
  verifies('mcp/prompts');

  it('is listed and reads one content type with its fields', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'service://content-types/{apiName}' }]);
    const { contents } = await client.readResource({ uri: 'service://content-types/article' });
    const [content] = contents as { text: string; uri: string }[];
    expect(content?.uri).toBe('service://content-types/article');
    expect(JSON.parse(content?.text ?? '')).toMatchObject({
      contentType: {
        apiName: 'article',
        fields: expect.arrayContaining([expect.objectContaining({ apiName: 'title' })]),
      },
    });
  });

  it('responds to an unknown content type, another path and a key that cannot read', async () => {
    await expect(client.readResource({ uri: 'service://content-types/none' })).rejects.toMatchObject({
      data: { error: 'content_type_not_found' },
    });
    await expect(client.readResource({ uri: 'service://content-types/a/b' })).rejects.toMatchObject({
      code: -32002,
    });
    await expect(blind.readResource({ uri: 'service://content-types/article' })).rejects.toMatchObject({
      data: { error: 'api_key_permission_denied' },
    });
  });
});

describe('Completions', () => {
  verifies('mcp/prompts');

  const ofPrompt = async (name: string, argument: string, value: string, by = client) =>
    (await by.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
      .values;

  it('are apiNames, slugs and locales that start with what is typed', async () => {
    expect(await ofPrompt('write_from_brief', 'contentTypeApiName', 'a')).toEqual(['article', 'author']);
    expect(await ofPrompt('write_from_brief', 'siteSlug', '')).toEqual(['main']);
    expect(await ofPrompt('write_from_brief', 'siteSlug', 'x')).toEqual([]);
    expect(await ofPrompt('translate', 'locale', 'd')).toEqual(['de']);
    expect(await ofPrompt('write_from_brief', 'brief', 'A')).toEqual([]);
    const ref = { type: 'ref/resource', uri: 'service://content-types/{apiName}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'apiName', value: 'pa' } });
    expect([completion.values, completion.hasMore]).toEqual([['page'], false]);
  });

  it('are ids of entries by their titles', async () => {
    const { id } = await article(desk, { title: 'A rare title' });
    expect(await ofPrompt('translate', 'entryId', 'rare')).toEqual([id]);
    expect(await ofPrompt('translate', 'entryId', 'no such title')).toEqual([]);
    expect(await ofPrompt('translate', 'entryId', '')).toContain(id);
  });

  it('fail for unknown references, and for a key that cannot read', async () => {
    await expect(ofPrompt('translate', 'tone', '')).rejects.toMatchObject({ code: -32602 });
    await expect(ofPrompt('none', 'locale', '')).rejects.toMatchObject({ code: -32602 });
    const ref = { type: 'ref/resource', uri: 'service://sites' } as const;
    const unknown = client.complete({ ref, argument: { name: 'apiName', value: '' } });
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
    await expect(ofPrompt('translate', 'locale', '', blind)).rejects.toMatchObject({
      data: { error: 'api_key_permission_denied' },
    });
  });
});
