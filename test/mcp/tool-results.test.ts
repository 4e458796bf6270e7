import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { mcpToolsDocument } from '../../src/surfaces/mcp/mcp-server.js';
import { verifies } from '../support/verifies.js';
import { fakeOperations } from './fake-service.js';

interface ToolDescription {
  name: string;
  inputSchema: object;
  outputSchema: object;
}

const { tools } = mcpToolsDocument(fakeOperations()) as { tools: ToolDescription[] };
const tool = (name: string): ToolDescription => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

describe('Results of MCP tools', () => {
  verifies('mcp/tool-list-size');

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
        ...[
          ...['copy_locale', 'detach_block', 'duplicate_entry', 'edit_text', 'restore_version'],
          ...['share_block', 'undelete_entry'],
        ].map((name) => [name, 'get_entry'] as const),
        ['add_to_release', 'get_release'],
        ['create_release', 'get_release'],
      ]),
    );
    for (const [name, same] of pairs) {
      const type = name.startsWith('list_') ? 'array' : 'object';
      expect(tool(name).outputSchema).toHaveProperty('properties.data', { type });
      expect(JSON.stringify(tool(same).outputSchema)).toContain('"required":["id"');
    }
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

  test('list content types with seven keys', () => {
    const { properties } = tool('list_content_types').outputSchema as unknown as {
      properties: { data: { items: object } };
    };
    expect(properties.data.items).toEqual({
      type: 'object',
      required: ['apiName', 'name', 'isPage', 'isBlock', 'isSingleton', 'isLocalized', 'fieldCount'],
    });
  });
});
