import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { errorTable, type ErrorCode } from '../../contracts/error-codes.js';
import { registry } from '../../contracts/index.js';
import { boundOperations } from '../../src/procedures/index.js';
import { buildOpenApiDocument } from '../../src/surfaces/rest/openapi/openapi-document.js';
import { fakeRouter } from '../mcp/fake-service.js';

interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { value: { error: string } }>;
}
interface Response {
  description: string;
  headers: Record<string, { example?: string }>;
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: {
    name: string;
    in: string;
    description: string;
    required?: boolean;
    schema: object;
    example?: unknown;
    explode?: boolean;
  }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  components: {
    schemas: Record<string, object>;
    headers: Record<string, object>;
    responses: Record<string, Response>;
  };
}

const build = () => buildOpenApiDocument(fakeRouter(), { version: '1.2.3' }) as Document;
const document = build();
/** The operation with its shared responses resolved. */
const whole = (operation: Operation) => {
  const responses = Object.entries(operation.responses).map(
    ([status, response]): [string, Response | undefined] => [
      status,
      '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response,
    ],
  );
  return { ...operation, responses: Object.fromEntries(responses) as Record<string, Response> };
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation: whole(operation) })),
);
const at = (method: string, path: string) => {
  const found = operations.find((one) => one.method === method && one.path === path);
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found.operation;
};
const bound = boundOperations(fakeRouter());
const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]));
const describedAs = (name: string) =>
  byId.get(name.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase()));

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

  test('declare the request id header on every response', () => {
    for (const { operation } of operations) {
      for (const response of Object.values(operation.responses))
        expect(response.headers).toHaveProperty('X-Request-Id');
    }
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
      expect(successes[0]?.[1].headers.Location === undefined).toBe(meta.openapi.success === undefined);
    }
    expect(
      at('post', '/api/v1/projects/{projectSlug}/content-types').responses['201']?.headers.Location?.example,
    ).toBe('/api/v1/projects/demo/content-types/article');
  });

  test('distinguish a job from a direct result by status', () => {
    const { responses } = at('post', '/api/v1/projects/{projectSlug}/entries/{id}/publish');
    const dataOf = (status: string) =>
      (responses[status]?.content?.['application/json']?.schema as { properties: { data: object } })
        .properties.data;
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
        expect(response?.description).toContain(`\`${code}\``);
      }
      for (const [status, { content }] of Object.entries(responses)) {
        if (status < '300') continue;
        const { schema, examples = {} } = content?.['application/json'] ?? {};
        expect(schema).toEqual({ $ref: '#/components/schemas/Failure' });
        for (const [code, { value }] of Object.entries(examples)) {
          expect(value.error).toBe(code);
          expect(String(errorTable[code as ErrorCode].status)).toBe(status);
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
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(at('get', '/api/v1/projects/{projectSlug}/entries').responses)).toEqual([
      '200',
      '401',
      '403',
      '404',
      '422',
      '429',
      '500',
      '503',
    ]);
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

describe('The OpenAPI document', () => {
  test('has patterns that every engine of regular expressions reads', () => {
    const text = JSON.stringify(document);
    const patterns = new Set(
      [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, value = '""']) => value),
    );
    const unread = /\\[pPuk]|\(\?(?!:)/;
    expect(patterns.size).toBeGreaterThan(10);
    expect(
      [...patterns].map((value) => JSON.parse(value) as string).filter((one) => unread.test(one)),
    ).toEqual([]);
  });

  test('has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document');
    // Most operations share schemas of parameters and of failures.
    const compiled = new Map<string, ValidateFunction>();
    const fits = (schema: object, example: unknown) => {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
      const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
      compiled.set(text, validate);
      expect([validate(example), validate.errors]).toEqual([true, null]);
    };
    for (const { operation } of operations) {
      for (const { schema, example } of operation.parameters ?? []) fits(schema, example);
      for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
        for (const { schema, example, examples } of Object.values(content)) {
          expect(example ?? examples).toBeDefined();
          if (example !== undefined) fits(schema, example);
          for (const { value } of Object.values(examples ?? {})) fits(schema, value);
        }
      }
    }
  }, 120_000);

  test('has no dangling references and no unused components', () => {
    const text = JSON.stringify(document);
    for (const kind of ['schemas', 'responses', 'headers'] as const) {
      const pointer = new RegExp(`"#/components/${kind}/([^"]+)"`, 'g');
      const pointed = new Set([...text.matchAll(pointer)].map(([, name]) => name));
      expect([...pointed].sort()).toEqual(Object.keys(document.components[kind]).sort());
    }
  });

  test('is the same every time', () => {
    expect(JSON.stringify(build())).toBe(JSON.stringify(document));
  });

  test('leaves the contracts as strict as before', () => {
    const list = bound.find(({ name }) => name === 'entries.list');
    expect(list?.input.safeParse({ projectSlug: 'demo', page: '2' }).success).toBe(false);
  });
});
