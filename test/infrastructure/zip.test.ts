import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withZip, ZipProblem, type ZipBounds } from '../../src/infrastructure/archives/read-zip.js';
import { zipOf } from '../support/archives.js';

const bounds: ZipBounds = { members: 3, totalBytes: 64 * 1024 * 1024, nameLength: 20 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The contents of an archive by path, or the code of its problem. */
async function outcomeOf(archive: Buffer): Promise<unknown> {
  const file = path.join(folder, 'archive.zip');
  await writeFile(file, archive);
  try {
    return await withZip(file, bounds, async ({ members, read }) => {
      const found: Record<string, string> = {};
      for (const member of members) found[member.name] = (await read(member)).toString();
      return found;
    });
  } catch (error) {
    if (error instanceof ZipProblem) return error.code;
    throw error;
  }
}

const changed = (archive: Buffer, from: string, to: string): Buffer =>
  Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');

/** Changes the directory's record of the first member. */
function inDirectory(archive: Buffer, offset: number, write: (record: Buffer) => void): Buffer {
  const copy = Buffer.from(archive);
  write(copy.subarray(copy.indexOf('PK\u0001\u0002', 0, 'latin1') + offset));
  return copy;
}

describe('Reading of ZIP archives', () => {
  it('returns the files, without folders and what macOS adds', async () => {
    const archive = await zipOf({
      'de/a.xlf': 'Schleuse',
      '__MACOSX/de/._a.xlf': 'x',
      'de/.DS_Store': 'x',
      'b.xlf': '',
    });
    expect(await outcomeOf(archive)).toEqual({ 'de/a.xlf': 'Schleuse', 'b.xlf': '' });
  });

  it('refuses what is not an archive, and one that is cut off or damaged', async () => {
    const archive = await zipOf({ 'a.xlf': 'Schleuse'.repeat(50) });
    expect(await outcomeOf(Buffer.from('PK'))).toBe('invalid_zip');
    expect(await outcomeOf(Buffer.alloc(0))).toBe('invalid_zip');
    expect(await outcomeOf(archive.subarray(0, archive.length - 30))).toBe('invalid_zip');
    const damaged = Buffer.from(archive);
    damaged.fill(0xff, 40, 60);
    expect(await outcomeOf(damaged)).toBe('invalid_zip');
  });

  it('refuses paths that leave the archive, control characters and long names', async () => {
    const archive = await zipOf({ 'aa/x.xlf': 'x' });
    for (const name of ['../x.xlf', '/a/x.xlf', 'C:/x.xlf', 'a\\bx.xlf', 'a\u0000/x.xlf', 'a\n/x.xlf'])
      expect([name, await outcomeOf(changed(archive, 'aa/x.xlf', name))]).toEqual([name, 'invalid_name']);
    expect(await outcomeOf(await zipOf({ [`${'a'.repeat(20)}.xlf`]: 'x' }))).toBe('invalid_name');
  });

  it('refuses two files with one path, also in another case', async () => {
    const archive = await zipOf({ 'a.xlf': 'x', 'b.xlf': 'y' });
    expect(await outcomeOf(changed(archive, 'b.xlf', 'a.xlf'))).toBe('duplicate_name');
    expect(await outcomeOf(changed(archive, 'b.xlf', 'A.xlf'))).toBe('duplicate_name');
  });

  it('refuses encrypted archives and unknown methods of compression', async () => {
    const archive = await zipOf({ 'a.xlf': 'Schleuse' });
    const flagged = (flags: number): Buffer =>
      inDirectory(archive, 8, (record) => record.writeUInt16LE(record.readUInt16LE(0) | flags));
    expect(await outcomeOf(flagged(0x01))).toBe('encrypted_zip');
    expect(await outcomeOf(flagged(0x41))).toBe('encrypted_zip');
    expect(await outcomeOf(inDirectory(archive, 10, (record) => record.writeUInt16LE(14)))).toBe(
      'unsupported_zip',
    );
  });

  it('refuses bombs by number, by declared size and by ratio', async () => {
    const many = Object.fromEntries([1, 2, 3, 4].map((number) => [`${String(number)}.xlf`, 'x']));
    expect(await outcomeOf(await zipOf(many))).toBe('too_many_files');
    const folders = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [`__MACOSX/${String(at)}`, 'x']),
    );
    expect(await outcomeOf(await zipOf(folders))).toBe('too_many_files');
    const small = await zipOf({ 'a.xlf': 'Schleuse'.repeat(50) });
    const huge = inDirectory(small, 24, (record) => record.writeUInt32LE(bounds.totalBytes + 1));
    expect(await outcomeOf(huge)).toBe('too_large');
    expect(await outcomeOf(await zipOf({ 'a.xlf': Buffer.alloc(17 * 1024 * 1024) }))).toBe(
      'compression_ratio',
    );
  });

  it('does not unpack more than the directory declares', async () => {
    const archive = await zipOf({ 'a.xlf': 'Schleuse'.repeat(5000) });
    const understated = inDirectory(archive, 24, (record) => record.writeUInt32LE(10));
    expect(await outcomeOf(understated)).toBe('invalid_zip');
  });
});
