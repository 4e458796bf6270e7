import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AdminOptions } from '../../surfaces/admin/handler.js';
import type { MediaOptions } from './media.js';

/** The build that `dist/main.js` loads. */
function currentBuild(): string {
  const entry = readFileSync(new URL('../../../dist/main.js', import.meta.url), 'utf8');
  const fingerprint = /\.\/([0-9a-f]{16})\/main\.js/.exec(entry)?.[1] ?? '';
  return fileURLToPath(new URL(`../../../dist/${fingerprint}/admin`, import.meta.url));
}

/** Beside the file that runs; tests run the sources, and their setup has built it. */
const adminDirectory = (): string =>
  import.meta.url.endsWith('.ts') ? currentBuild() : fileURLToPath(new URL('./admin', import.meta.url));

/** Files go directly into a bucket, at its own host or below that of the storage. */
function bucketOrigins({ s3 }: MediaOptions): string[] {
  if (s3 === undefined) return [];
  const { protocol, host } = new URL(s3.endpoint);
  return [s3.forcePathStyle ? `${protocol}//${host}` : `${protocol}//${s3.bucket}.${host}`];
}

export const adminOptions = (media: MediaOptions): AdminOptions => ({
  directory: adminDirectory(),
  uploadOrigins: bucketOrigins(media),
});
