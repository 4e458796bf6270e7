import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasXliffSchema, serverPath } from './optional-servers.js';

/** The schemas of OASIS. */
const folder = serverPath('XLIFF_SCHEMAS');
const coreSchema = 'xliff_core_2.0.xsd';
const importedFolder = 'informativeCopiesOf3rdPartySchemas/w3c/';

/** Why a test is skipped, for its title. */
export const withoutXliffSchema = hasXliffSchema ? '' : ' (needs the schemas of XLIFF 2.0 in XLIFF_SCHEMAS)';

/** The validator knows files by name only. */
const schemaFile = async (fileName: string, under = '') => ({
  fileName,
  contents: (await readFile(path.join(folder, under, fileName), 'utf8')).replace(importedFolder, ''),
});

/** What the core schema of XLIFF 2.0 finds wrong with files, by name. Needs `hasXliffSchema`. */
export async function schemaErrors(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { validateXML } = await import('xmllint-wasm');
  const { errors } = await validateXML({
    xml: Object.entries(files).map(([fileName, contents]) => ({ fileName, contents })),
    schema: [await schemaFile(coreSchema)],
    preload: [await schemaFile('xml.xsd', importedFolder)],
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

const repeated = (names: readonly string[]): string[] =>
  names.filter((name, at) => names.indexOf(name) !== at);
const attributes = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map((match) => match[1] ?? '');

/** Constraints of XLIFF 2.0 that its schema does not express: unique ids, and references that resolve. */
export function constraintErrors(xliff: string): string[] {
  const units = attributes(xliff, /<unit id="([^"]*)"/g);
  const inUnits = [...xliff.matchAll(/<unit id="([^"]*)".*?<\/unit>/gs)].flatMap(([unit, id = '']) => {
    const data = attributes(unit, /<data id="([^"]*)"/g);
    const used = attributes(unit, /dataRef(?:Start)?="([^"]*)"/g);
    const source = /<source[^>]*>(.*?)<\/source>/s.exec(unit)?.[1] ?? '';
    const codes = attributes(source, /<(?:pc|ph) id="([^"]*)"/g);
    return [
      ...repeated(data).map((name) => `${id}: data ${name} repeated`),
      ...repeated(codes).map((name) => `${id}: code ${name} repeated`),
      ...used.filter((name) => !data.includes(name)).map((name) => `${id}: data ${name} missing`),
    ];
  });
  return [...repeated(units).map((id) => `unit ${id} repeated`), ...inUnits];
}
