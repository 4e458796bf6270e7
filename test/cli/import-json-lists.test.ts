import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLists } from '../../src/cli/import/exports/json-places.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

let file: string;

beforeAll(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'headwater-lists-')), 'lists.json');
});
afterAll(() => rm(path.dirname(file), { recursive: true }));

/** Items of the lists of the file, by name. */
async function listsIn(text: string, names: readonly string[]): Promise<Map<string, unknown[]>> {
  await writeFile(file, text);
  const lists = await JsonLists.open(file, 'Contentful');
  try {
    const found = names.filter((name) => lists.has(name));
    return new Map(found.map((name) => [name, lists.placesOf(name).map((place) => lists.read(place))]));
  } finally {
    lists.close();
  }
}

describe('Lists of an object in a file of JSON', () => {
  it('have the items that a parser of the whole file finds, whatever they are and how it is indented', async () => {
    const member = fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue());
    const key = fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, member), fc.nat(3), async (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const parsed = Object.entries(JSON.parse(text) as Record<string, unknown>);
        const expected = parsed.filter((one): one is [string, unknown[]] => Array.isArray(one[1]));
        expect(await listsIn(text, Object.keys(object))).toEqual(new Map(expected));
      }),
      { numRuns: 100 },
    );
  });

  it('are read across the pieces of the file, with quotes and brackets in strings', async () => {
    const items = Array.from({ length: 40 }, (_, index) => ({
      text: `${'x'.repeat(20_000 + index)}\\"]}\u00e9${'\\'.repeat(index)}`,
      list: [[index], '[{"'],
    }));
    const text = `\uFEFF${JSON.stringify({ before: '[', items, after: [1, 'a', null, true] })}\n`;
    expect(await listsIn(text, ['before', 'items', 'after'])).toEqual(
      new Map<string, unknown[]>([
        ['items', items],
        ['after', [1, 'a', null, true]],
      ]),
    );
  });

  it.each(['{"a":[1 2]}', '{"a" [1]}', '{"a":[1],}', '{a:[1]}', '{"a":[x]}', '{"a":[1]', '{"a":["x]}'])(
    'are none in %s',
    async (text) => {
      await expect(listsIn(text, ['a'])).rejects.toThrow('it is not JSON, or is truncated.');
    },
  );
});
