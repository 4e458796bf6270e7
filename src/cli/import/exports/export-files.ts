import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

const NOWHERE = 'https://export.invalid';

/** The names under which a file of this address may be stored, by host and path. */
function namesOf(address: string): string[] {
  const text = address.trim();
  if (!URL.canParse(text, NOWHERE)) return [];
  const { host, pathname, origin } = new URL(text, NOWHERE);
  let decoded = pathname;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    // An address that is not encoded is a name as it is.
  }
  // An address without a host is a path beside the export.
  const folders = origin === NOWHERE ? [host, ''] : [host];
  return folders.flatMap((folder) =>
    [...new Set([pathname, decoded])].map((name) => path.join(folder, name)),
  );
}

/** The file of an address below a folder; undefined if there is none. Never one outside the folder, even by a link. */
export async function findFile(folder: string, address: string): Promise<string | undefined> {
  const root = await realpath(folder);
  for (const name of namesOf(address)) {
    if (name.includes('\0')) continue;
    const file = await realpath(path.join(root, name)).catch(() => undefined);
    if (file?.startsWith(`${root}${path.sep}`) === true && (await stat(file)).isFile()) return file;
  }
  return undefined;
}

/** Results in order. One after the other, so that reports are the same in every run. */
export async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
