import { readFile, stat } from 'node:fs/promises';
import { parseDocument } from 'yaml';

const MAXIMUM_BYTES = 8 * 1024 * 1024;

/**
 * The document of a YAML or JSON file. Aliases are refused, because a few of them can stand for any amount of data;
 * so are duplicate keys.
 * @throws Error with one line for people
 */
export async function readDocument(file: string, name: string): Promise<unknown> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${name} cannot be read.`);
  });
  if (size > MAXIMUM_BYTES) throw new Error(`${name} is larger than 8 MB.`);
  const document = parseDocument(await readFile(file, 'utf8'), { uniqueKeys: true, merge: false });
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`${name}: ${problem.message.split('\n')[0] ?? ''}`);
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`${name} uses aliases, which are not supported.`, { cause: error });
  }
}
