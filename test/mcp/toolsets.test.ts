import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toolsets } from '../../contracts/rights.js';
import { mcpToolsDocument } from '../../src/surfaces/mcp/mcp-server.js';
import { verifies } from '../support/verifies.js';
import { fakeOperations, serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';
import { callTool, full, rpc, sendTo } from './send.js';

const ofSpecification = [
  'create_entry',
  'delete_entry',
  'get_content_type',
  'get_entry',
  'get_entry_values',
  'get_site',
  'get_tree',
  'list_content_types',
  'list_sites',
  'publish_entry',
  'search_content',
  'unpublish_entry',
  'update_entry',
];

const document = mcpToolsDocument(fakeOperations()) as {
  tools: { name: string }[];
  toolsets: Record<string, string[]>;
};
const namesOf = (...chosen: string[]): string[] =>
  chosen.flatMap((one) => document.toolsets[one] ?? []).sort();

const structural: FakeKey = { name: 'structural', type: 'management', toolsets: ['structure'] };
const twofold: FakeKey = { name: 'twofold', type: 'preview', toolsets: ['content', 'media'] };

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake({
    keys: [full, structural, twofold],
    useCases: { 'sites.get': () => ({ data: {} }), 'tree.listNodes': () => ({ data: [] }) },
  });
});
afterAll(() => endpoint.close());

const listTo = async (query: string, key: FakeKey = full): Promise<string[]> => {
  const { body } = await sendTo(`${endpoint.plainUrl}${query}`, { key, body: rpc('tools/list') });
  return (body.result.tools as { name: string }[]).map(({ name }) => name);
};

describe('Toolsets', () => {
  verifies('mcp/toolsets');

  test('hold every tool in exactly one set', () => {
    expect(Object.keys(document.toolsets)).toEqual(['default', ...toolsets]);
    expect(namesOf(...toolsets)).toEqual(document.tools.map(({ name }) => name));
    for (const one of toolsets) expect(namesOf(one).length).toBeGreaterThan(0);
  });

  test('offer the 13 tools of the specification if neither the key nor the URL chooses', async () => {
    expect(await listTo('')).toEqual(ofSpecification);
    expect(await listTo('?toolsets=')).toEqual(ofSpecification);
    expect(namesOf('default')).toEqual(ofSpecification);
  });

  test.each([
    ['?toolsets=structure', ['structure']],
    ['?toolsets=content,structure', ['content', 'structure']],
    ['?toolsets=content&toolsets=%20media', ['content', 'media']],
    [`?toolsets=${toolsets.join()}`, toolsets],
  ])('that the URL %s names are offered, sorted by name', async (query, chosen) => {
    expect(await listTo(query)).toEqual(namesOf(...chosen));
  });

  test.each<[FakeKey, string, string[]]>([
    [structural, '', ['structure']],
    [structural, '?toolsets=content,structure', ['structure']],
    [structural, '?toolsets=content', []],
    [twofold, '', ['content', 'media']],
    [twofold, '?toolsets=media', ['media']],
  ])('of the key $name are narrowed by the URL "%s", and never widened', async (key, query, chosen) => {
    expect(await listTo(query, key)).toEqual(namesOf(...chosen));
  });

  test('make a tool outside of them unknown', async () => {
    const send = (name: string, key: FakeKey, query = '') =>
      sendTo(`${endpoint.plainUrl}${query}`, { key, body: callTool(name, { siteSlug: 'main' }) });
    const known = await send('get_tree', structural);
    expect(known.body.result.structuredContent).toEqual({ data: [] });
    const outside = [
      await send('get_entry', structural),
      await send('get_entry', structural, '?toolsets=content'),
      await send('search', full),
      await send('get_tree', full, '?toolsets=media'),
    ];
    for (const { status, body } of outside) expect([status, body.error.code]).toEqual([200, -32602]);
    expect(outside.map(({ body }) => body.error.message)).toEqual([
      'Unknown tool: get_entry',
      'Unknown tool: get_entry',
      'Unknown tool: search',
      'Unknown tool: get_tree',
    ]);
  });

  test.each(['POST', 'GET'])('that are unknown are 400 for %s, with the known ones', async (method) => {
    const answer = await sendTo(`${endpoint.plainUrl}?toolsets=content,users,none`, {
      method,
      ...(method === 'POST' && { body: rpc('ping') }),
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: 'unknown_toolset',
      message: 'There is no such toolset.',
      details: { unknown: ['users', 'none'], known: [...toolsets] },
    });
  });
});
