import { describe, expect, it } from '@jest/globals';
import type { SchemaDocument } from '../../contracts/deployment/schema/schema-plan.js';
import { diffSchemas } from '../../src/content/schema/diff-schemas.js';
import { verifies } from '../support/verifies.js';

const text = (apiName: string, more: object = {}) => ({ apiName, type: 'text' as const, ...more });
const type = (apiName: string, names: readonly string[], more: object = {}) => ({
  apiName,
  name: apiName,
  fields: names.map((name) => text(name)),
  ...more,
});

const steps = (before: SchemaDocument, after: SchemaDocument) =>
  diffSchemas(before, after).map(({ action, kind, contentType, name, from, changes }) => [
    `${action} ${kind} ${contentType === null ? '' : `${contentType}.`}${name}${from === null ? '' : ` from ${from}`}`,
    changes.map(({ key }) => key),
  ]);

describe('diffSchemas', () => {
  verifies('environments/schema');

  it('moves as few fields as possible', () => {
    const before = { contentTypes: [type('page', ['a', 'b', 'c', 'd'])] };
    const after = { contentTypes: [type('page', ['d', 'a', 'b', 'c'], { displayField: 'a' })] };
    expect(steps(before, after)).toEqual([['update field page.d', ['position']]]);
  });

  it('follows a chain of declared renames', () => {
    const before = { contentTypes: [type('page', ['a', 'b'], { displayField: 'a' })] };
    const renamed = [text('b', { name: 'A', renamedFrom: 'a' }), text('c', { name: 'B', renamedFrom: 'b' })];
    const after = { contentTypes: [{ ...type('page', []), displayField: 'b', fields: renamed }] };
    expect(steps(before, after)).toEqual([
      ['rename field page.c from b', []],
      ['rename field page.b from a', []],
    ]);
  });

  it('applies renames of types to what names them', () => {
    const link = (target: string) => ({
      apiName: 'parent',
      type: 'reference' as const,
      settings: { contentTypes: [target] },
    });
    const before = { contentTypes: [{ ...type('page', []), fields: [link('page')] }] };
    const after = {
      contentTypes: [{ ...type('sheet', []), name: 'page', renamedFrom: 'page', fields: [link('sheet')] }],
    };
    expect(steps(before, after)).toEqual([['rename contentType sheet from page', []]]);
  });

  it('changes nothing of a section that the second document lacks', () => {
    expect(steps({ roles: [{ slug: 'press', name: 'Press', grants: [] }] }, { contentTypes: [] })).toEqual(
      [],
    );
  });
});
