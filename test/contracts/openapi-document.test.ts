import { describe, expect, test } from '@jest/globals';
import { errorTable, type ErrorCode } from '../../contracts/error-codes.js';
import { registry } from '../../contracts/index.js';
import { at, bound, byId, describedAs, document, operations, resolved } from './described.js';

describe('OpenAPI operations', () => {
  test('are exactly the operations of the registry that REST serves', () => {
    const names = Object.entries(registry).flatMap(([group, contracts]) =>
      Object.keys(contracts).map((verb) => `${group}.${verb}`),
    );
    const onRest = bound.filter(({ meta }) => meta.openapi).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(onRest));
    for (const name of onRest) expect(describedAs(name)).toBeDefined();
    expect(describedAs('entries.search')).toBeUndefined();
  });

  test('have a summary, a description, a declared tag and a unique id', () => {
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const { operation } of operations) {
      expect(operation.summary).not.toBe('');
      expect(operation.description).not.toBe('');
      for (const tag of operation.tags) expect(tags.get(tag)).toEqual(expect.any(String));
    }
    expect(byId.size).toBe(operations.length);
  });

  test('describe every path parameter, and every parameter has an example', () => {
    for (const { path, operation } of operations) {
      const parameters = operation.parameters ?? [];
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name)).toEqual(
        inPath,
      );
      for (const parameter of parameters) {
        expect(parameter.description).not.toBe('');
        expect(parameter).toHaveProperty('example');
      }
    }
  });

  test('have the request id header, which failures declare and the description of the document names', () => {
    expect(document.info.description).toContain('`X-Request-Id`');
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses))
        if (status >= '300') expect(response?.headers).toHaveProperty('X-Request-Id');
    }
    for (const { name, meta } of bound)
      if (meta.openapi !== undefined) expect(describedAs(name)?.responses).toHaveProperty('default');
  });
});

describe('OpenAPI responses', () => {
  test('are 201 with Location for creation, 202 for jobs, 204 for tus clients that write and 200 otherwise', () => {
    for (const { name, meta } of bound) {
      if (meta.openapi === undefined) continue;
      const successes = Object.entries(describedAs(name)?.responses ?? {}).filter(
        ([status]) => status < '300',
      );
      const { startsJob, success } = meta.openapi;
      expect(successes.map(([status]) => status)).toEqual([
        ...(meta.openapi.success?.existing === true ? ['200'] : []),
        ...(startsJob === true ? ['202'] : [success === undefined ? '200' : '201']),
        ...(meta.openapi.mayDefer === true ? ['202'] : []),
        ...(meta.openapi.tus === true && meta.openapi.method !== 'GET' ? ['204'] : []),
      ]);
      expect(successes[0]?.[1]?.headers?.Location === undefined).toBe(meta.openapi.success === undefined);
    }
  });

  test('distinguish a job from a direct result by status', () => {
    const { responses } = at('post', '/api/v1/projects/{projectSlug}/entries/{id}/publish');
    const dataOf = (status: string) => {
      const schema = responses[status]?.content?.['application/json']?.schema ?? {};
      return (resolved<object>(schema) as { properties: { data: object } }).properties.data;
    };
    expect([dataOf('200'), dataOf('202')]).toEqual([
      { $ref: '#/components/schemas/Entry' },
      { $ref: '#/components/schemas/ScheduledJob' },
    ]);
  });

  test('use our envelope under the status of each error code of the contract', () => {
    for (const { name, meta } of bound) {
      if (meta.openapi === undefined) continue;
      const responses = describedAs(name)?.responses ?? {};
      for (const code of meta.errors ?? []) {
        const response = responses[errorTable[code].status];
        const isNamed = [response, responses.default].some((one) => one?.description.includes(`\`${code}\``));
        expect([name, code, isNamed]).toEqual([name, code, true]);
      }
      for (const [status, response] of Object.entries(responses)) {
        if (status < '300') continue;
        const { content } = response ?? {};
        const { schema, examples = {} } = content?.['application/json'] ?? {};
        expect(schema).toEqual({ $ref: '#/components/schemas/Failure' });
        for (const [code, example] of Object.entries(examples)) {
          expect(resolved<{ value: { error: string } }>(example).value.error).toBe(code);
          if (status !== 'default') expect(String(errorTable[code as ErrorCode].status)).toBe(status);
        }
      }
    }
  });

  test.each([
    ['delivery', 'get', '/api/delivery/projects/{slug}/sites/{siteSlug}/entries/{id}', [{ apiKey: [] }, {}]],
    ['management', 'get', '/api/v1/projects/{projectSlug}/entries', [{ apiKey: [] }, { session: [] }]],
    ['platform', 'get', '/api/v1/platform/tenants', [{ session: [] }]],
    ['login', 'post', '/api/v1/auth/login', []],
  ])('of %s operations name the accepted credentials', (...[, method, path, security]) => {
    expect(at(method, path).security).toEqual(security);
  });

  test('of delivery describe caching', () => {
    const { headers } =
      at('get', '/api/delivery/projects/{slug}/sites/{siteSlug}/entries/{id}').responses['200'] ?? {};
    expect(Object.keys(headers ?? {})).toEqual(expect.arrayContaining(['Cache-Control', 'Surrogate-Key']));
  });

  test('describe body errors where there is a body', () => {
    expect(Object.keys(at('put', '/api/v1/projects/{projectSlug}/entries/{id}').responses)).toEqual([
      '200',
      '404',
      '409',
      '412',
      '422',
      'default',
    ]);
    expect(Object.keys(at('get', '/api/v1/projects/{projectSlug}/entries').responses)).toEqual([
      '200',
      '404',
      '422',
      'default',
    ]);
    const shared = (method: string, path: string) => at(method, path).responses.default?.description;
    const entry = '/api/v1/projects/{projectSlug}/entries';
    for (const code of ['invalid_api_key', 'permission_denied', 'rate_limit_exceeded', 'service_unavailable'])
      expect(shared('get', entry)).toContain(`\`${code}\``);
    expect(shared('get', entry)).not.toContain('invalid_json');
    expect(shared('post', entry)).toContain('`invalid_json`');
  });
});

describe('OpenAPI inputs', () => {
  test('use the public parameter names', () => {
    const { parameters } = at(
      'put',
      '/api/v1/projects/{projectSlug}/content-types/{apiName}/fields/{fieldApiName}',
    );
    const inPath = parameters?.filter((parameter) => parameter.in === 'path');
    expect(inPath?.map(({ name }) => name)).toEqual(['projectSlug', 'apiName', 'fieldApiName']);
    expect(
      Object.keys(document.paths).filter((path) =>
        /tenantSlug|contentTypeApiName\}\/fields|sites\/\{siteSlug\}$/.test(path),
      ),
    ).toEqual([]);
  });

  test('are optional when nothing in them is required', () => {
    expect(at('post', '/api/v1/projects/{projectSlug}/entries/{id}/publish').requestBody?.required).toBe(
      false,
    );
    expect(at('post', '/api/v1/projects/{projectSlug}/entries').requestBody?.required).toBe(true);
  });

  test('use comma-separated lists for parameters with several values', () => {
    const status = at('get', '/api/v1/projects/{projectSlug}/entries').parameters?.find(
      ({ name }) => name === 'status',
    );
    expect(status).toMatchObject({ explode: false, schema: { type: 'array' } });
  });
});
