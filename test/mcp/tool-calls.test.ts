import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError, invalidInput } from '../../contracts/errors.js';
import { serveFake, type FakeEndpoint, type FakeKey } from './fake-service.js';
import { callOf, full, sendTo, type Sent } from './send.js';

const creator: FakeKey = { name: 'creator', type: 'management', permissions: ['create'] };

const inputs: unknown[] = [];
let endpoint: FakeEndpoint;

const send = (sent: Sent) => sendTo(endpoint.url, sent);

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

describe('tool calls', () => {
  test('succeed with the envelope as structure and as text, without keys that the contract does not name', async () => {
    const { result } = (await send({ body: callOf('get_entry_values', { id: 'e1', locale: 'en' }) })).body;
    expect(result.structuredContent).toEqual({ data: { id: 'e1', locale: 'en', fields: { title: 'Lock' } } });
    expect(JSON.parse(String(result.content[0].text))).toEqual(result.structuredContent);
    expect(result.isError).toBeUndefined();
  });

  test('leave key and tool in the audit metadata', () => {
    expect(inputs.at(-1)).toEqual([
      { projectSlug: 'demo', id: 'e1', locale: 'en' },
      { mcpApiKeyId: 'full', mcpApiKeyType: 'management', tool: 'get_entry_values' },
    ]);
  });

  test('take arguments by their published names and reply with the failure envelope', async () => {
    const { result } = (await send({ body: callOf('get_site', { slug: 'main' }) })).body;
    expect(inputs.at(-1)).toEqual({ projectSlug: 'demo', siteSlug: 'main' });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: 'site_not_found', message: expect.any(String) },
    });
    expect(JSON.parse(String(result.content[0].text))).toEqual(result.structuredContent);
  });

  test.each([
    ['an unknown argument', { slug: 'main', color: 'red' }, 'color'],
    ['the inner name', { siteSlug: 'main', slug: 'main' }, 'siteSlug'],
    ['a project of their own', { projectSlug: 'other', slug: 'main' }, 'projectSlug'],
    ['nothing where something is needed', {}, 'slug'],
    ['another kind of value', { slug: 7 }, 'slug'],
  ])('refuse %s with the issue', async (_name, values, key) => {
    const { result } = (await send({ body: callOf('get_site', values) })).body;
    expect(result.structuredContent.error).toBe('validation_failed');
    expect(result.structuredContent.details.issues).toEqual([expect.objectContaining({ path: [key] })]);
  });

  test('tell issues that the operation finds in the names of the arguments', async () => {
    const { result } = (await send({ body: callOf('get_site', { slug: 'odd' }) })).body;
    expect(result.structuredContent.details.issues).toEqual([
      { path: ['slug'], code: 'odd', message: 'Odd.' },
    ]);
  });

  test('refuse values that could not be kept exactly with issues below the arguments', async () => {
    const body = callOf('create_entry', { fields: { n: 'N' } }).replace('"N"', '1e400');
    const { result } = (await send({ body })).body;
    expect(result.structuredContent).toMatchObject({
      error: 'validation_failed',
      details: { issues: [{ path: ['fields', 'n'], code: 'inexact_number' }] },
    });
  });

  test('refuse nesting that is too deep as a reply, too', async () => {
    const body = callOf('create_entry', { fields: { n: 'N' } }).replace(
      '"N"',
      '['.repeat(5000) + ']'.repeat(5000),
    );
    const { result } = (await send({ body })).body;
    expect(result.structuredContent.details.issues[0].code).toBe('too_deep');
  });

  test('say that the permission is missing before they look at arguments', async () => {
    const { result } = (await send({ key: creator, body: callOf('get_site', { nonsense: 1 }) })).body;
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: 'api_key_permission_denied', details: { action: 'read' } },
    });
  });

  test('mask what nobody foresaw behind the id of the request', async () => {
    const answer = await send({ body: callOf('get_entry', { id: 'e1' }) });
    expect(answer.body.result.structuredContent).toEqual({
      error: 'internal_error',
      message: expect.any(String),
      details: { requestId: answer.headers.get('x-request-id') },
    });
    expect(JSON.stringify(answer.body)).not.toContain('SELECT');
  });

  test('of an unknown tool are -32602', async () => {
    expect((await send({ body: callOf('drop_table', {}) })).body.error.code).toBe(-32602);
  });
});
