import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImportSystem } from '../../../../contracts/editorial/imports/import-job.js';
import { withZip, ZipProblem } from '../../../infrastructure/archives/read-zip.js';
import { openFolder } from '../archives.js';
import { importLimits } from '../../../../contracts/editorial/imports/import-job.js';

/** Systems whose exports are archives of several files. */
const archived: ReadonlySet<ImportSystem> = new Set(['markdown', 'sanity', 'strapi']);

const isArchive = (file: string): boolean => /\.(?:tar|tar\.gz|tgz|gz)$/i.test(file);

/** @throws Error with one line for people */
async function unpackZip(file: string, folder: string): Promise<void> {
  const bounds = {
    members: importLimits.importArchiveFiles,
    totalBytes: importLimits.importUnpackedBytes,
    nameLength: importLimits.importArchiveNameLength,
  };
  try {
    await withZip(file, bounds, async ({ members, read }) => {
      for (const member of members) {
        const place = path.join(folder, ...member.name.split('/'));
        await mkdir(path.dirname(place), { recursive: true });
        await writeFile(place, await read(member), { flag: 'wx' });
      }
    });
  } catch (error) {
    const reason = error instanceof ZipProblem ? error.message : 'Its files cannot be written.';
    throw new Error(`The file ${file} cannot be unpacked. ${reason}`, { cause: error });
  }
}

/** What an archive was made of: a folder, or what is in it. */
async function contentOf(folder: string): Promise<string> {
  const [only, ...others] = await readdir(folder, { withFileTypes: true });
  return only?.isDirectory() === true && others.length === 0 ? path.join(folder, only.name) : folder;
}

/**
 * What an importer reads of a file that was uploaded: the file, or the folder into which it was unpacked.
 * @throws Error with one line for people
 */
export async function uploadedExport(file: string, system: ImportSystem): Promise<string> {
  if (!archived.has(system)) return file;
  if (/\.zip$/i.test(file)) {
    const folder = path.join(path.dirname(path.dirname(file)), 'unpacked');
    await unpackZip(file, folder);
    return contentOf(folder);
  }
  if (!isArchive(file)) return path.dirname(file);
  const { folder } = await openFolder(file, { maximumBytes: importLimits.importUnpackedBytes });
  return contentOf(folder);
}
