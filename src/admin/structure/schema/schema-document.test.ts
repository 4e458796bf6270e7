import { describe, expect, it } from '@jest/globals';
import { formerNames, readSchema, withRename, type SchemaStep } from './schema-document.js';

const step = (action: SchemaStep['action'], name: string, rest: Partial<SchemaStep> = {}): SchemaStep => ({
  action,
  name,
  kind: 'field',
  contentType: 'lock',
  from: null,
  changes: [],
  lost: null,
  blocker: null,
  ...rest,
});

describe('A schema document', () => {
  it('is read from YAML and JSON, and its problems are named with their places', () => {
    const yaml = 'contentTypes:\n  - apiName: lock\n    name: Lock\n    fields: []\n';
    const read = readSchema(yaml);
    expect('schema' in read && read.schema).toMatchObject({ contentTypes: [{ apiName: 'lock' }] });
    expect(readSchema('{"roles": [], "roles": []}')).toMatchObject({ problems: [expect.any(String)] });
    expect(readSchema('a: &a [1]\nb: *a\n')).toMatchObject({ problems: [expect.any(String)] });
    expect(readSchema('{"contentTypes": [{"apiName": "lock"}]}')).toMatchObject({
      problems: [expect.stringMatching(/^contentTypes\.0\.name: /)],
    });
  });

  it('takes the former name of a field and keeps its comments', () => {
    const yaml =
      '# ours\ncontentTypes:\n  - apiName: lock\n    fields:\n      - apiName: number\n        type: text\n';
    const renamed = withRename(yaml, step('create', 'number'), 'code');
    expect(renamed).toContain('# ours');
    expect(renamed).toMatch(/apiName: number\n +type: text\n +renamedFrom: code/);
    expect(withRename(yaml, step('create', 'other'), 'code')).toBe(yaml);
  });

  it('stays JSON when a type is renamed', () => {
    const json = '{"contentTypes": [{"apiName": "gate", "name": "Gate", "fields": []}]}';
    const create = step('create', 'gate', { kind: 'contentType', contentType: null });
    expect(JSON.parse(withRename(json, create, 'lock'))).toEqual({
      contentTypes: [{ apiName: 'gate', name: 'Gate', fields: [], renamedFrom: 'lock' }],
    });
  });

  it('may rename what the plan deletes of the same kind and content type', () => {
    const steps = [
      step('delete', 'code'),
      step('delete', 'size', { contentType: 'boat' }),
      step('delete', 'lock', { kind: 'workflow', contentType: null }),
      step('update', 'title'),
    ];
    expect(formerNames({ steps }, step('create', 'number'))).toEqual(['code']);
    expect(formerNames({ steps }, step('update', 'title'))).toEqual([]);
  });
});
