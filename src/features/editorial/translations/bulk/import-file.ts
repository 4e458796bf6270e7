import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { LocaleCode } from '../../../../../contracts/primitives.js';
import type { TranslationImportReport } from '../../../../../contracts/editorial/translations/translation-job.js';
import type { ReadXliff } from '../../../../content/xliff/read-xliff.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { type ZipMember, ZipProblem, type ZipBounds } from '../../../../infrastructure/archives/read-zip.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { RichTextConverter } from '../../../entries/entries/index.js';
import { applyXliff } from '../exchange/apply-xliff.js';
import { parseXliff } from '../exchange/import-translation.js';
import { lockTranslation } from '../lock-translation.js';
import { JobFileRepository } from './translation-job.repository.js';
import type { FileOutcome, UnitCounts } from './stored-job.js';

export const isXliffName = (name: string): boolean => /\.xli?ff?$/i.test(name);

/** An XLIFF file that names its translation. */
interface NamedXliff {
  readonly file: ReadXliff;
  readonly entryId: string;
  readonly locale: string;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const message = 'The file is not valid UTF-8.';
    throw invalidInput({ path: ['xliff'], code: 'invalid_encoding', message });
  }
}

/**
 * Reads a file of an archive before any transaction.
 * @throws AppError 413 `payload_too_large`, 422 `unsupported_file_type` and `validation_failed`
 */
export async function readNamedXliff(
  member: ZipMember,
  read: (member: ZipMember) => Promise<Buffer>,
): Promise<NamedXliff> {
  if (!isXliffName(member.name)) throw new AppError('unsupported_file_type');
  const maximumBytes = limits.xliffImportBytes;
  if (member.size > maximumBytes) throw new AppError('payload_too_large', { maximumBytes });
  const file = await parseXliff(decode(await read(member)));
  const entryId = /^entry\/([^/]+)\//.exec(file.original)?.[1] ?? '';
  if (!isUuid(entryId)) {
    const message = 'The file was not exported from an entry.';
    throw invalidInput({ path: ['xliff', 'file', 'original'], code: 'wrong_entry', message });
  }
  const { data: locale } = LocaleCode.safeParse(file.targetLocale);
  if (locale === undefined) {
    const message = 'The file names no target language of the service.';
    throw invalidInput({ path: ['xliff', 'trgLang'], code: 'wrong_locale', message });
  }
  return { file, entryId, locale };
}

function countsOf({ units }: TranslationImportReport): UnitCounts {
  const counts = { applied: 0, untranslated: 0, stale_source: 0, invalid: 0 };
  for (const { outcome } of units) counts[outcome] += 1;
  return counts;
}

interface FileImport {
  readonly jobId: string;
  readonly projectSlug: string;
  readonly applyStale: boolean;
  readonly converter: RichTextConverter;
}

/** @throws AppError as the import of a single file; 409 `conflict` for a second file of the translation */
export async function applyNamedXliff(
  work: UnitOfWork,
  { file, entryId, locale }: NamedXliff,
  { jobId, ...application }: FileImport,
): Promise<FileOutcome> {
  const target = await lockTranslation(work, entryId, locale);
  if (await work.use(JobFileRepository).hasApplied(jobId, target.entry.entryId, locale))
    throw new AppError('conflict', undefined, 'The archive has another file for the translation.');
  const report = await applyXliff(
    work,
    { file, target },
    { ...application, action: 'translation.import', comment: 'Imported from XLIFF.', isFilling: false },
  );
  return { status: 'done', entryId, locale, units: countsOf(report) };
}

export const archiveBounds: ZipBounds = {
  members: limits.translationJobFiles,
  totalBytes: limits.translationArchiveExpandedBytes,
  nameLength: 255,
};

/** A problem of an uploaded archive as 422 `validation_failed`; others unchanged. */
export const archiveRefusal = (error: unknown): unknown =>
  error instanceof ZipProblem
    ? invalidInput({ path: ['file'], code: error.code, message: error.message })
    : error;
