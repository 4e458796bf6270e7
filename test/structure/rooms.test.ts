import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const files = ['contracts', 'src'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(root, file)),
);

function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...specifiers]
    .map(([, specifier = '']) => normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts'))
    .filter((target) => existsSync(target));
}

/** Each pair of folders connected by an import, with an example. */
const arrows = new Map<string, string>();
for (const file of files)
  for (const target of importsOf(file))
    if (dirname(file) !== dirname(target))
      arrows.set(`${dirname(file)} > ${dirname(target)}`, `${file} > ${target}`);

const isWithin = (folder: string, outer: string): boolean => folder.startsWith(`${outer}/`);

describe('Folders', () => {
  it('never import each other in both directions, except a folder and its sub-folders', () => {
    const pairs = [...arrows.keys()].flatMap((arrow) => {
      const [from = '', to = ''] = arrow.split(' > ');
      const back = arrows.get(`${to} > ${from}`);
      const isNested = isWithin(from, to) || isWithin(to, from);
      return back === undefined || isNested || from > to ? [] : [[arrows.get(arrow), back]];
    });
    expect(pairs).toEqual([]);
  });
});
