import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/surfaces/rest/route-table.js';
import { operations, restOperations } from '../support/operations.js';

interface Document {
  paths: Record<string, Record<string, unknown>>;
}

/** Routes that are not operations. */
const others = [
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
  'GET /api/graphql/{slug}',
  'POST /api/graphql/{slug}',
  'GET /api/graphql/{slug}/schema.graphql',
  'GET /metrics',
  'GET /api/mcp/{projectSlug}',
  'POST /api/mcp/{projectSlug}',
  'GET /api/v1/me/events',
  'GET /api/delivery/projects/{slug}/sites/{siteSlug}/preview/stream',
];

describe('The published OpenAPI document', () => {
  it('describes exactly the routes that are served', async () => {
    const { paths } = JSON.parse(await readFile('openapi/openapi.json', 'utf8')) as Document;
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      // Parameters that all methods of a path have stand beside them.
      Object.keys(methods)
        .filter((key) => key !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = restOperations.map(({ rest }) => {
      const path = rest.path.replace(
        /\{(\w+)\}/g,
        (_match, name: string) => `{${rest.pathAliases?.[name] ?? name}}`,
      );
      return `${rest.method} ${path}`;
    });
    expect(described.sort()).toEqual([...served, ...others].sort());
  });
});

describe('Registry', () => {
  it.each(restOperations)(
    'binds $name according to its method: GET is a query, others are mutations',
    ({ operation, rest }) => {
      expect(operation.kind).toBe(rest.method === 'GET' ? 'query' : 'mutation');
    },
  );

  it('gives every tool a unique name', () => {
    const tools = operations.flatMap(({ meta }) => meta.mcp?.tool ?? []);
    expect(new Set(tools).size).toBe(tools.length);
  });
});

describe('Route table', () => {
  const table = new RouteTable<string>();
  table.add('GET', '/tree/{siteSlug}', 'parameter');
  table.add('GET', '/tree/global', 'literal');
  table.add('GET', '/tree/{siteSlug}/nodes', 'below');
  table.add('POST', '/tree/{siteSlug}', 'post');

  it('prefers a literal segment to a parameter, in any order', () => {
    expect(table.find('GET', '/tree/global')).toEqual({ target: 'literal', parameters: {} });
    expect(table.find('GET', '/tree/main')).toEqual({
      target: 'parameter',
      parameters: { siteSlug: 'main' },
    });
  });

  it('falls back to the parameter when the literal has no match', () => {
    expect(table.find('GET', '/tree/global/nodes')).toEqual({
      target: 'below',
      parameters: { siteSlug: 'global' },
    });
  });

  it('decodes parameters and is case-sensitive', () => {
    expect(table.find('GET', '/tree/a%2Fb')).toEqual({
      target: 'parameter',
      parameters: { siteSlug: 'a/b' },
    });
    expect(table.find('GET', '/TREE/main')).toBeUndefined();
  });

  it('names the allowed methods of a path', () => {
    expect(table.find('DELETE', '/tree/main')).toEqual({ allowed: ['GET', 'POST'] });
  });

  it('rejects a route that is registered twice', () => {
    expect(() => {
      table.add('GET', '/tree/{other}', 'again');
    }).toThrow('registered twice');
  });
});
