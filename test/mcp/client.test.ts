import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../contracts/errors.js';
import { toolsOf } from '../../src/surfaces/mcp/tools.js';
import { waitFor } from '../support/wait-for.js';
import { fakeOperations, secretOf, serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';

const full: FakeKey = { name: 'full', type: 'management' };
const creator: FakeKey = { name: 'creator', type: 'management', permissions: ['create'] };

const at = '2026-03-01T09:30:00.000Z';
const site = (number: number) => ({
  id: `s${number}`,
  slug: `site-${number}`,
  name: 'Site',
  description: null,
  domain: null,
  baseUrl: null,
  defaultLocale: 'en',
  locales: ['en'],
  localePathStrategy: 'none',
  previewUrlTemplate: null,
  allowedTargets: null,
  requiredLocales: [],
  homeEntryId: null,
  isActive: true,
  createdAt: at,
  updatedAt: at,
});
const sites = Array.from({ length: 250 }, (_, number) => site(number));

let endpoint: FakeEndpoint;
const clients: Client[] = [];

async function connect(key: FakeKey): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: { authorization: `Bearer ${secretOf(key)}` } },
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

beforeAll(async () => {
  endpoint = await serveFake({
    keys: [full, creator],
    useCases: {
      'sites.list': ({ input }) => {
        const { page, limit } = input as { page: number; limit: number };
        return {
          data: sites.slice((page - 1) * limit, page * limit),
          meta: { total: sites.length, page, limit, pages: Math.ceil(sites.length / limit) },
        };
      },
      'sites.get': () => ({ data: site(1) }),
      'contentTypes.list': ({ input }) => ({
        data: [],
        meta: { total: 0, page: 1, limit: input.limit, pages: 0 },
      }),
      'contentTypes.get': () => {
        throw new AppError('content_type_not_found');
      },
    },
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await endpoint.close();
});

describe('The SDK client', () => {
  test('lists tools, calls one and validates the result against its output schema', async () => {
    const client = await connect(full);
    expect((await client.listTools()).tools).toHaveLength(toolsOf(fakeOperations()).length);
    const result = await client.callTool({ name: 'get_site', arguments: { slug: 'site-1' } });
    expect(result.structuredContent).toEqual({ data: site(1) });
  });

  test('accepts a failure as a result that matches the output schema', async () => {
    const client = await connect(full);
    await client.listTools();
    const result = await client.callTool({ name: 'get_content_type', arguments: { apiName: 'none' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: 'content_type_not_found' } });
  });

  test('reads complete resources across all pages', async () => {
    const client = await connect(full);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'service://schema/content-types',
      'service://sites',
      'service://tree',
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents as {
        text: string;
        mimeType: string;
        uri: string;
      }[];
      expect(content).toMatchObject({ uri, mimeType: 'application/json' });
      return JSON.parse(content?.text ?? '') as unknown;
    };
    expect(await read('service://sites')).toEqual({ sites });
    expect(await read('service://schema/content-types')).toEqual({ contentTypes: [] });
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  });

  test('receives -32002 for an unknown resource', async () => {
    const client = await connect(full);
    await expect(client.readResource({ uri: 'service://users' })).rejects.toMatchObject({ code: -32002 });
  });

  test('needs the read action to read resources', async () => {
    const client = await connect(creator);
    await expect(client.readResource({ uri: 'service://sites' })).rejects.toMatchObject({
      data: { error: 'api_key_permission_denied' },
    });
  });

  test('is notified when the content model changes', async () => {
    const client = await connect(full);
    const notified = new Set<string>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void notified.add('tools'));
    client.setNotificationHandler(
      ResourceListChangedNotificationSchema,
      () => void notified.add('resources'),
    );
    // The client may start listening only after the first change.
    let revision = 1;
    await waitFor('the client is notified of tools and resources', () => {
      revision += 1;
      endpoint.project.revision = String(revision);
      return notified.size === 2;
    });
  });
});
