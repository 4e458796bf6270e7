import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { mcpToolsDocument } from '../../src/surfaces/mcp/tools.js';
import { verifies } from '../support/verifies.js';
import { fakeOperations } from './fake-service.js';

interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: string;
    properties: Record<string, Record<string, unknown>>;
    required?: string[];
    additionalProperties: boolean;
  };
  outputSchema: { type: string };
  annotations: Record<string, unknown>;
}

const { tools } = mcpToolsDocument(fakeOperations()) as { tools: ToolDescription[] };
const tool = (name: string): ToolDescription => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

describe('MCP tools', () => {
  verifies('mcp/tool-list-size');

  test('are the tools of the specification and our additions, sorted by name', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'cancel_schedule',
      'create_entry',
      'delete_entry',
      'diff_environments',
      'diff_versions',
      'find_references',
      'get_content_type',
      'get_entry',
      'get_entry_values',
      'get_media',
      'get_preview_link',
      'get_site',
      'get_translation_status',
      'get_tree',
      'list_content_types',
      'list_environments',
      'list_media',
      'list_schedules',
      'list_sites',
      'list_tasks',
      'list_versions',
      'publish_entry',
      'search',
      'search_content',
      'transition_workflow',
      'unpublish_entry',
      'update_entry',
      'update_media',
      'update_translation',
      'upload_media_from_url',
      'validate_entry',
      'write_entries',
    ]);
  });

  test.each([
    ['list_content_types', [], []],
    ['list_sites', [], []],
    ['get_content_type', ['apiName'], ['apiName']],
    ['get_site', ['slug'], ['slug']],
    ['get_tree', ['siteSlug'], ['siteSlug']],
    ['get_entry', ['id', 'include', 'locale'], ['id']],
    ['get_entry_values', ['fields', 'id', 'locale'], ['id', 'locale']],
    [
      'search',
      [
        'contentTypeApiName',
        'facets',
        'filter',
        'limit',
        'locale',
        'page',
        'query',
        'siteId',
        'sort',
        'status',
      ],
      [],
    ],
    ['search_content', ['contentTypeApiName', 'limit', 'locale', 'page', 'query', 'siteId', 'status'], []],
    [
      'create_entry',
      ['contentTypeApiName', 'dryRun', 'fields', 'locale', 'siteId', 'slug', 'treeParentId'],
      ['contentTypeApiName', 'siteId'],
    ],
    [
      'update_entry',
      [
        'assigneeId',
        'comment',
        'confirmToken',
        'dryRun',
        'fields',
        'id',
        'locale',
        'mergeStrategy',
        'slug',
        'treeParentId',
        'version',
      ],
      ['id', 'version'],
    ],
    ['delete_entry', ['confirmToken', 'dryRun', 'id', 'version'], ['id']],
    ['validate_entry', ['id', 'locale'], ['id']],
    ['write_entries', ['atomic', 'confirmToken', 'dryRun', 'items'], ['items']],
    ['find_references', ['id', 'limit', 'page'], ['id']],
    ['list_schedules', ['id', 'limit', 'page', 'status'], ['id']],
    ['list_tasks', ['assigneeId', 'kind', 'limit', 'page'], []],
    [
      'transition_workflow',
      ['assigneeId', 'comment', 'dryRun', 'dueAt', 'id', 'locale', 'to', 'version'],
      ['id', 'to'],
    ],
    ['cancel_schedule', ['confirmToken', 'dryRun', 'id', 'jobId'], ['id', 'jobId']],
  ])('%s accepts %j and requires %j', (name, keys, required) => {
    const { inputSchema } = tool(name);
    expect(Object.keys(inputSchema.properties).sort()).toEqual(keys);
    expect([...(inputSchema.required ?? [])].sort()).toEqual(required);
    expect(inputSchema.additionalProperties).toBe(false);
  });

  test('do not accept a project, which the URL contains', () => {
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('projectSlug');
  });

  test('have input schemas without $ref, which some agents cannot resolve', () => {
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('$ref');
  });

  test.each([
    ['get_entry', { readOnlyHint: true, openWorldHint: false }],
    ['create_entry', { destructiveHint: false, openWorldHint: false }],
    ['update_entry', { openWorldHint: false }],
    ['publish_entry', { idempotentHint: true, openWorldHint: false }],
    ['unpublish_entry', { idempotentHint: true, openWorldHint: false }],
    ['delete_entry', { idempotentHint: true, openWorldHint: false }],
    ['update_media', { destructiveHint: false, openWorldHint: false }],
    ['update_translation', { destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['upload_media_from_url', { destructiveHint: false }],
    ['write_entries', { openWorldHint: false }],
  ])('%s has the hints that differ from the defaults of the protocol', (name, hints) => {
    expect(tool(name).annotations).toEqual(hints);
  });

  test('name no keys of a result that another tool names', () => {
    const pairs = fakeOperations().flatMap(({ meta: { mcp } }) =>
      mcp?.sameResultAs === undefined ? [] : [[mcp.tool, mcp.sameResultAs] as const],
    );
    expect(new Map(pairs)).toEqual(
      new Map([
        ['update_entry', 'get_entry'],
        ['create_entry', 'get_entry'],
        ['publish_entry', 'get_entry'],
        ['unpublish_entry', 'get_entry'],
        ['list_media', 'get_media'],
        ['update_media', 'get_media'],
        ['upload_media_from_url', 'get_media'],
      ]),
    );
    for (const [name, same] of pairs) {
      const type = name.startsWith('list_') ? 'array' : 'object';
      expect(tool(name).outputSchema).toHaveProperty('properties.data', { type });
      expect(JSON.stringify(tool(same).outputSchema)).toContain('"required":["id"');
    }
  });

  test('say whether they reach other systems', () => {
    const open = tools.filter(({ annotations }) => annotations?.openWorldHint !== false);
    expect(open.map(({ name }) => name)).toEqual(['upload_media_from_url']);
  });

  test('have valid schemas whose results match either success or failure', () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv);
    for (const { inputSchema, outputSchema } of tools) {
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      const admits = ajv.compile(outputSchema);
      expect(admits({ error: 'entry_not_found', message: 'Entry not found.' })).toBe(true);
      expect(admits({ error: 'entry_not_found' })).toBe(false);
      expect(admits({})).toBe(false);
    }
    expect(
      ajv.compile(tool('get_entry_values').outputSchema)({ data: { id: 'a', locale: 'en', fields: {} } }),
    ).toBe(true);
    expect(ajv.compile(tool('get_entry_values').outputSchema)({ data: { id: 1 } })).toBe(false);
  });

  test('cost an agent at most 8,000 tokens of four characters each', () => {
    expect(JSON.stringify({ tools }).length / 4).toBeLessThanOrEqual(8000);
  });

  test('say how to translate, and show rich text once', () => {
    expect(tool('update_entry').description).toContain('another `locale`');
    expect(JSON.stringify(tools).split('\\"doc\\"')).toHaveLength(2);
  });

  test('list content types with seven keys', () => {
    const { properties } = tool('list_content_types').outputSchema as unknown as {
      properties: { data: { items: object } };
    };
    expect(properties.data.items).toEqual({
      type: 'object',
      required: ['apiName', 'name', 'isPage', 'isBlock', 'isSingleton', 'isLocalized', 'fieldCount'],
    });
  });

  test('produce the same document every time', () => {
    expect(JSON.stringify(mcpToolsDocument(fakeOperations()))).toBe(
      JSON.stringify(mcpToolsDocument(fakeOperations())),
    );
  });
});
