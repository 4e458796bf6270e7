import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';

export interface ZipBounds {
  readonly members: number;
  /** Of all members together, uncompressed. */
  readonly totalBytes: number;
  readonly nameLength: number;
}

export type ZipProblemCode =
  | 'invalid_zip'
  | 'encrypted_zip'
  | 'unsupported_zip'
  | 'invalid_name'
  | 'duplicate_name'
  | 'too_many_files'
  | 'too_large'
  | 'compression_ratio';

/** Why an archive, or a member, is refused. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem';

  constructor(
    readonly code: ZipProblemCode,
    message: string,
  ) {
    super(message);
  }
}

export interface ZipMember {
  /** A relative path. */
  readonly name: string;
  /** Uncompressed, as declared; reading fails if it is not true. */
  readonly size: number;
}

interface OpenZip {
  readonly members: readonly ZipMember[];
  /** @throws ZipProblem if it is damaged, or not as large as declared */
  read(member: ZipMember): Promise<Buffer>;
}

/** Small archives compress as well as they like. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;
const MAXIMUM_RATIO = 200;

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/;

const invalid = (error: unknown): ZipProblem => {
  if (error instanceof ZipProblem) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.includes('encryption')) return new ZipProblem('encrypted_zip', 'The archive is encrypted.');
  return /fileName|relative path|absolute path/.test(reason)
    ? new ZipProblem('invalid_name', 'A file in the archive has a path that is not permitted.')
    : new ZipProblem('invalid_zip', 'The archive is damaged, or not a ZIP file.');
};

/** Folders, and what macOS adds to every archive. */
const isIgnored = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || /(?:^|\/)\.DS_Store$/.test(name);

function check(entry: Entry, names: Set<string>, { nameLength }: ZipBounds): void {
  const { fileName } = entry;
  if (entry.isEncrypted()) throw new ZipProblem('encrypted_zip', 'The archive is encrypted.');
  if (fileName.length > nameLength || CONTROL.test(fileName))
    throw new ZipProblem('invalid_name', 'A file in the archive has a path that is not permitted.');
  if (!entry.canDecodeFileData())
    throw new ZipProblem('unsupported_zip', 'The archive must be stored or deflated.');
  const name = fileName.normalize('NFC').toLowerCase();
  if (names.has(name)) throw new ZipProblem('duplicate_name', 'Two files in the archive have the same path.');
  names.add(name);
}

/** The directory of an archive. No member is unpacked. */
async function readDirectory(zip: ZipFile, bounds: ZipBounds): Promise<Entry[]> {
  const tooMany = `The archive has more than ${String(bounds.members)} files.`;
  const entries: Entry[] = [];
  const names = new Set<string>();
  let seen = 0;
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    seen += 1;
    // Folders and the like count, too: the directory must not be endless.
    if (seen > bounds.members * 4) throw new ZipProblem('too_many_files', tooMany);
    if (isIgnored(entry.fileName)) continue;
    check(entry, names, bounds);
    entries.push(entry);
    total += entry.uncompressedSize;
    if (entries.length > bounds.members) throw new ZipProblem('too_many_files', tooMany);
    if (total > bounds.totalBytes)
      throw new ZipProblem('too_large', `The files have more than ${String(bounds.totalBytes)} bytes.`);
  }
  if (total > RATIO_FROM_BYTES && total > zip.fileSize * MAXIMUM_RATIO)
    throw new ZipProblem('compression_ratio', 'The files are compressed more than text can be.');
  return entries;
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Opens an archive of a stranger while `use` runs. Sizes are those declared, and enforced when a member is read.
 * @throws ZipProblem
 */
export async function withZip<T>(
  file: string,
  bounds: ZipBounds,
  use: (zip: OpenZip) => Promise<T>,
): Promise<T> {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw invalid(error);
  });
  try {
    const entries = await readDirectory(zip, bounds).catch((error: unknown) => {
      throw invalid(error);
    });
    const members = new Map<ZipMember, Entry>(
      entries.map((entry) => [{ name: entry.fileName, size: entry.uncompressedSize }, entry]),
    );
    return await use({
      members: [...members.keys()],
      read: async (member) => {
        const entry = members.get(member);
        if (entry === undefined) throw new Error('a member of another archive');
        try {
          return await readAll(await zip.openReadStreamPromise(entry));
        } catch (error) {
          throw invalid(error);
        }
      },
    });
  } finally {
    zip.close();
  }
}
