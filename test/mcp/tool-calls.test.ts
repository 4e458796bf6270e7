import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError, invalidInput } from '../../contracts/errors.js';
import { serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';
import { callTool, full, sendTo, type RpcRequest } from './send.js';

const creator: FakeKey = { name: 'creator', type: 'management', permissions: ['create'] };

const inputs: unknown[] = [];
let endpoint: FakeEndpoint;

const send = (request: RpcRequest) => sendTo(endpoint.url, request);

beforeAll(async () => {
  endpoint = await serveFake({
    keys: [full, creator],
    useCases: {
      'sites.get': ({ input }) => {
        inputs.push(input);
        if (input.siteSlug === 'odd')
          throw invalidInput({ path: ['siteSlug'], code: 'odd', message: 'Odd.' });
        throw new AppError('site_not_found');
      },
      'entries.getValues': ({ input, scope }) => {
        inputs.push([input, scope.work.metadata]);
        return { data: { id: input.id, locale: input.locale, fields: { title: 'Lock' }, secret: 1 } };
      },
      'entries.get': () => {
        throw new Error('SELECT secret FROM keys');
      },
    },
  });
});
afterAll(() => endpoint.close());

describe('MCP tool calls', () => {
  test('return the envelope as structured content and text, without keys outside the contract', async () => {
    const { result } = (await send({ body: callTool('get_entry_values', { id: 'e1', locale: 'en' }) })).body;
    expect(result.structuredContent).toEqual({ data: { id: 'e1', locale: 'en', fields: { title: 'Lock' } } });
    expect(JSON.parse(String(result.content[0].text))).toEqual(result.structuredContent);
    expect(result.isError).toBeUndefined();
  });

  test('record key and tool in the audit metadata', () => {
    expect(inputs.at(-1)).toEqual([
      { projectSlug: 'demo', id: 'e1', locale: 'en' },
      { mcpApiKeyId: 'full', mcpApiKeyType: 'management', tool: 'get_entry_values' },
    ]);
  });

  test('accept published argument names and return the failure envelope', async () => {
    const { result } = (await send({ body: callTool('get_site', { slug: 'main' }) })).body;
    expect(inputs.at(-1)).toEqual({ projectSlug: 'demo', siteSlug: 'main' });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: 'site_not_found', message: expect.any(String) },
    });
    expect(JSON.parse(String(result.content[0].text))).toEqual(result.structuredContent);
  });

  test.each([
    ['an unknown argument', { slug: 'main', color: 'red' }, 'color'],
    ['an internal argument name', { siteSlug: 'main', slug: 'main' }, 'siteSlug'],
    ['a project', { projectSlug: 'other', slug: 'main' }, 'projectSlug'],
    ['a missing required argument', {}, 'slug'],
    ['a value of another type', { slug: 7 }, 'slug'],
  ])('reject %s with an issue', async (_name, values, key) => {
    const { result } = (await send({ body: callTool('get_site', values) })).body;
    expect(result.structuredContent.error).toBe('validation_failed');
    expect(result.structuredContent.details.issues).toEqual([expect.objectContaining({ path: [key] })]);
  });

  test('return issues of the operation under the published argument names', async () => {
    const { result } = (await send({ body: callTool('get_site', { slug: 'odd' }) })).body;
    expect(result.structuredContent.details.issues).toEqual([
      { path: ['slug'], code: 'odd', message: 'Odd.' },
    ]);
  });

  test('reject values that cannot be stored exactly, with issue paths relative to the arguments', async () => {
    const body = callTool('create_entry', { fields: { n: 'N' } }).replace('"N"', '1e400');
    const { result } = (await send({ body })).body;
    expect(result.structuredContent).toMatchObject({
      error: 'validation_failed',
      details: { issues: [{ path: ['fields', 'n'], code: 'inexact_number' }] },
    });
  });

  test('reject excessive nesting with a tool result', async () => {
    const body = callTool('create_entry', { fields: { n: 'N' } }).replace(
      '"N"',
      '['.repeat(5000) + ']'.repeat(5000),
    );
    const { result } = (await send({ body })).body;
    expect(result.structuredContent.details.issues[0].code).toBe('too_deep');
  });

  test('check permission before arguments', async () => {
    const { result } = (await send({ key: creator, body: callTool('get_site', { nonsense: 1 }) })).body;
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: 'api_key_permission_denied', details: { action: 'read' } },
    });
  });

  test('mask unexpected errors behind the request id', async () => {
    const answer = await send({ body: callTool('get_entry', { id: 'e1' }) });
    expect(answer.body.result.structuredContent).toEqual({
      error: 'internal_error',
      message: expect.any(String),
      details: { requestId: answer.headers.get('x-request-id') },
    });
    expect(JSON.stringify(answer.body)).not.toContain('SELECT');
  });

  test('return -32602 for an unknown tool', async () => {
    expect((await send({ body: callTool('drop_table', {}) })).body.error.code).toBe(-32602);
  });
});
