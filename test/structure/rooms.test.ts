import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

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

const isWithin = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

/** The index of a folder exports parts of its sub-folders to other rooms. */
const isExport = (file: string, target: string): boolean =>
  basename(file) === 'index.ts' && isWithin(target, dirname(file));

const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe('Folders', () => {
  it('never import each other in both directions', () => {
    const arrows = new Map<string, string>();
    for (const { file, target } of imports)
      if (dirname(file) !== dirname(target) && !isExport(file, target))
        arrows.set(`${dirname(file)} > ${dirname(target)}`, `${file} > ${target}`);
    const pairs = [...arrows.keys()].flatMap((arrow) => {
      const [from = '', to = ''] = arrow.split(' > ');
      const back = arrows.get(`${to} > ${from}`);
      return back === undefined || from > to ? [] : [[arrows.get(arrow), back]];
    });
    expect(pairs).toEqual([]);
  });

  it('never import the index of a folder that contains them', () => {
    const circular = imports.filter(
      ({ file, target }) => basename(target) === 'index.ts' && isWithin(file, dirname(target)),
    );
    expect(circular).toEqual([]);
  });
});
