import { describe, expect, test } from '@jest/globals';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { mcpToolsDocument } from '../../src/surfaces/mcp/mcp-server.js';
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
  };
  outputSchema: { type: string };
  annotations: Record<string, unknown>;
}

const { tools, toolsets } = mcpToolsDocument(fakeOperations()) as {
  tools: ToolDescription[];
  toolsets: Record<string, string[]>;
};
const tool = (name: string): ToolDescription => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

describe('MCP tools', () => {
  verifies('mcp/tool-list-size');

  test('are the tools of the specification and our additions, sorted by name', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'add_to_release',
      'bulk_entries',
      'cancel_schedule',
      'content_health',
      'copy_locale',
      'create_entry',
      'create_node',
      'create_redirect',
      'create_release',
      'delete_entry',
      'delete_node',
      'delete_redirect',
      'detach_block',
      'diff_environments',
      'diff_versions',
      'duplicate_entry',
      'edit_text',
      'find_references',
      'get_content_type',
      'get_entry',
      'get_entry_values',
      'get_media',
      'get_preview_link',
      'get_release',
      'get_site',
      'get_translation_status',
      'get_tree',
      'list_content_types',
      'list_dependencies',
      'list_environments',
      'list_locales',
      'list_media',
      'list_redirects',
      'list_releases',
      'list_schedules',
      'list_sites',
      'list_tasks',
      'list_translation_gaps',
      'list_versions',
      'move_node',
      'publish_entry',
      'publish_release',
      'restore_version',
      'search',
      'search_content',
      'share_block',
      'transition_workflow',
      'undelete_entry',
      'unpublish_entry',
      'update_entry',
      'update_media',
      'update_node',
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
        'group',
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
    [
      'move_node',
      [
        'afterId',
        'beforeId',
        'confirmToken',
        'createRedirects',
        'dryRun',
        'entryId',
        'nodeId',
        'parentId',
        'position',
        'version',
      ],
      ['parentId'],
    ],
    [
      'create_node',
      ['dryRun', 'hideInMenu', 'name', 'parentId', 'position', 'siteSlug', 'slug', 'type', 'url'],
      ['siteSlug', 'type'],
    ],
    ['list_redirects', ['isActive', 'limit', 'locale', 'page', 'query', 'siteId'], []],
    [
      'create_redirect',
      ['dryRun', 'locale', 'matchType', 'note', 'queryMatch', 'siteSlug', 'source', 'status', 'target'],
      ['siteSlug', 'source'],
    ],
    ['delete_redirect', ['confirmToken', 'dryRun', 'id'], ['id']],
    [
      'copy_locale',
      ['dryRun', 'fields', 'fromLocale', 'id', 'overwrite', 'toLocale', 'version'],
      ['fromLocale', 'id', 'toLocale'],
    ],
    [
      'restore_version',
      ['comment', 'confirmToken', 'dryRun', 'id', 'locale', 'version', 'versionNum'],
      ['id', 'versionNum'],
    ],
    ['undelete_entry', ['dryRun', 'id', 'version'], ['id']],
    ['list_translation_gaps', ['contentTypeApiName', 'limit', 'locale', 'page', 'siteId'], ['locale']],
    ['bulk_entries', ['action', 'confirmToken', 'dryRun', 'entryIds', 'params'], ['action', 'entryIds']],
    [
      'edit_text',
      ['all', 'comment', 'confirmToken', 'dryRun', 'field', 'find', 'id', 'locale', 'replace', 'version'],
      ['field', 'find', 'id', 'replace', 'version'],
    ],
    ['content_health', ['contentTypeApiName', 'limit', 'locale', 'page', 'siteId'], []],
    ['list_locales', [], []],
    ['list_releases', ['limit', 'page', 'status'], []],
    ['get_release', ['id'], ['id']],
    ['create_release', ['description', 'dryRun', 'name', 'requiresApproval'], ['name']],
    ['add_to_release', ['dryRun', 'id', 'items'], ['id', 'items']],
    ['publish_release', ['confirmToken', 'dryRun', 'id'], ['id']],
  ])('%s accepts %j and requires %j', (name, keys, required) => {
    const { inputSchema } = tool(name);
    expect(Object.keys(inputSchema.properties).sort()).toEqual(keys);
    expect([...(inputSchema.required ?? [])].sort()).toEqual(required);
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
    ['move_node', { openWorldHint: false }],
    ['delete_redirect', { idempotentHint: true, openWorldHint: false }],
    ['create_redirect', { destructiveHint: false, openWorldHint: false }],
    ['publish_release', { idempotentHint: true, openWorldHint: false }],
    ['content_health', { readOnlyHint: true, openWorldHint: false }],
  ])('%s has the hints that differ from the defaults of the protocol', (name, hints) => {
    expect(tool(name).annotations).toEqual(hints);
  });

  test('say whether they reach other systems', () => {
    const open = tools.filter(({ annotations }) => annotations?.openWorldHint !== false);
    expect(open.map(({ name }) => name)).toEqual(['upload_media_from_url']);
  });

  test('cost an agent with the default tools at most 8,000 tokens, counted by a tokenizer', () => {
    const tokenizer = new Tiktoken(o200kBase);
    const tokensOf = (names: readonly string[] = []) =>
      tokenizer.encode(JSON.stringify({ tools: tools.filter(({ name }) => names.includes(name)) })).length;
    expect(toolsets.default).toHaveLength(13);
    expect(tokensOf(toolsets.default)).toBeGreaterThan(1000);
    expect(tokensOf(toolsets.default)).toBeLessThanOrEqual(8000);
    for (const names of Object.values(toolsets)) expect(tokensOf(names)).toBeLessThanOrEqual(8000);
  });

  test('say how to translate, and show rich text once', () => {
    expect(tool('update_entry').description).toContain('another `locale`');
    expect(JSON.stringify(tools).split('\\"doc\\"')).toHaveLength(2);
  });

  test('produce the same document every time', () => {
    expect(JSON.stringify(mcpToolsDocument(fakeOperations()))).toBe(
      JSON.stringify(mcpToolsDocument(fakeOperations())),
    );
  });
});
