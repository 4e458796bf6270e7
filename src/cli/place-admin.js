import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Names the sources of a build, beside its files. */
const EDITION = '.edition';

/** Copies the admin app from an earlier build of the same sources, or builds it. */
export async function placeAdmin({ dist, directory, edition }) {
  for (const name of await readdir(dist)) {
    const earlier = path.join(dist, name, 'admin');
    const found = await readFile(path.join(earlier, EDITION), 'utf8').catch(() => undefined);
    if (found === edition && earlier !== directory) return cp(earlier, directory, { recursive: true });
  }
  const { buildAdmin } = await import('../admin/build.js');
  await buildAdmin(directory);
  return writeFile(path.join(directory, EDITION), edition);
}
