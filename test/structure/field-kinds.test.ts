import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldKinds } from '../../contracts/content/fields/field-kinds.js';
import { fieldKindRules, kindsWhere } from '../../src/content/field-kinds/index.js';

/** Files that may name kinds: the two lists, editors of the admin app, the content type of imports, types of the client. */
const namesKinds = [
  'contracts/content/fields/field-kinds.ts',
  'src/content/field-kinds/',
  'src/admin/fields/kinds.ts',
  'src/admin/fields/registry.ts',
  'src/admin/structure/schema/templates.ts',
  'src/cli/import/ensure-project.ts',
  'src/cli/types/rest-types.ts',
  // Migrations keep the code they first ran with.
  'src/persistence/migrations/steps/',
];

/** A rich text node's type is not a field kind. */
const otherTypes = ['src/content/rich-text/', 'src/content/xliff/inline.ts', 'src/cli/import/'];

const sources = ['contracts', 'src'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(root, file)),
);

/** Kinds whose names have no other meaning in the code. */
const distinct = ['longText', 'richText', 'dateTime'].join('|');
const any = fieldKinds.join('|');
const mentions = new RegExp(
  [
    `'(?:${distinct}|blocks)'`,
    `^\\s*(?:${distinct}):`,
    `type [!=]==? '(?:${any})'`,
    `type (?:=|IN|<>|= ANY) ?\\(?'(?:${any})'`,
    `<'(?:${any})'>`,
  ].join('|'),
  'm',
);

describe('Field kinds', () => {
  it('are named only in their own files and in content types written as data', () => {
    const naming = sources
      .filter((file) => ![...namesKinds, ...otherTypes].some((start) => file.startsWith(start)))
      .filter((file) => mentions.test(readFileSync(file, 'utf8')));
    expect(naming).toEqual([]);
  });

  it('have one file each, in which no other kind is named', () => {
    const fileOf = (kind: string) => kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const kind of fieldKinds) {
      const text = readFileSync(`src/content/field-kinds/${fileOf(kind)}.ts`, 'utf8');
      expect(text).toMatch(new RegExp(`export const ${kind}\\b`));
      const others = fieldKinds.filter((other) => other !== kind && text.includes(`export const ${other} `));
      expect([kind, others]).toEqual([kind, []]);
    }
  });

  it('are listed equally in the contract and the kernel', () => {
    expect(Object.keys(fieldKindRules).sort()).toEqual([...fieldKinds].sort());
  });

  it('have the traits that other code relies on', () => {
    expect(kindsWhere(({ isLink }) => isLink)).toEqual(['reference', 'blocks']);
    expect(kindsWhere(({ isAlwaysList }) => isAlwaysList)).toEqual(['blocks']);
    expect(kindsWhere(({ isTranslatable }) => isTranslatable)).toEqual([
      'text',
      'longText',
      'richText',
      'slug',
    ]);
    expect(kindsWhere(({ titles }) => titles === 'first')).toEqual(['text']);
    expect(kindsWhere(({ titles }) => titles === 'never')).toEqual([
      'richText',
      'boolean',
      'color',
      'location',
      'json',
      'media',
      'reference',
      'blocks',
      'custom',
    ]);
    expect(kindsWhere(({ comparison }) => comparison === null)).toEqual([
      'richText',
      'location',
      'json',
      'custom',
    ]);
  });
});
