import { invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { translations } from '../../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { TranslationJobState } from '../../../../../contracts/editorial/translations/translation-job.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork, RunPart } from '../../../../persistence/work/unit-of-work.js';
import { withZip } from '../../../../infrastructure/archives/read-zip.js';
import { importKey, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { resolveLocale, resolveSiteIds, resolveTypeIds } from '../../../entries/entries/index.js';
import { fileRefusal, stageFile } from '../../../media/media/index.js';
import { TranslationListRepository } from '../translation-list.repository.js';
import { JobFileRepository, TranslationJobRepository } from './translation-job.repository.js';
import { presentState } from './jobs.js';
import { archiveBounds, archiveRefusal, isXliffName } from './import-file.js';
import { settled } from '../../../../infrastructure/promises.js';

type ExportInput = InputOf<typeof translations.startExport>;

/** @throws AppError 422 `validation_failed` unless some match, and not too many */
async function idsOf(
  work: UnitOfWork,
  catalog: Catalog,
  { filter = {}, targetLocale }: ExportInput,
): Promise<string[]> {
  const maximum = limits.translationJobFiles;
  const query = {
    contentTypeIds: resolveTypeIds(catalog, filter.contentTypeApiName),
    siteIds: resolveSiteIds(catalog, filter.siteId),
    locale: targetLocale,
    statuses: filter.status ?? null,
    assigneeIds: filter.assigneeId?.map((id) => id.toLowerCase()) ?? null,
    priorities: filter.priority ?? null,
    dueBefore: filter.dueBefore === undefined ? null : new Date(filter.dueBefore),
  };
  const ids = await work.use(TranslationListRepository).matchingIds(query, maximum + 1);
  const path = ['filter'];
  if (ids.length === 0) throw invalidInput({ path, code: 'no_match', message: 'No translation matches.' });
  const message = `More than ${String(maximum)} translations match. Narrow the filter.`;
  if (ids.length > maximum) throw invalidInput({ path, code: 'too_big', message });
  return ids;
}

/** Notes which entries to export. Each is read when the job runs, with the rights that the caller then has. */
export async function startExport(
  work: UnitOfWork,
  input: ExportInput,
): Promise<{ data: TranslationJobState }> {
  const { entryIds, filter, source, sourceLocale = null, targetLocale } = input;
  if ((entryIds === undefined) === (filter === undefined))
    throw invalidInput({ path: ['entryIds'], code: 'one_of', message: 'Name either entryIds or a filter.' });
  const catalog = await work.use(CatalogRepository).current();
  resolveLocale(catalog, targetLocale, 'targetLocale');
  resolveLocale(catalog, sourceLocale ?? undefined, 'sourceLocale');
  const jobs = work.use(TranslationJobRepository);
  await jobs.assertRoom();
  const ids =
    entryIds === undefined
      ? await idsOf(work, catalog, input)
      : [...new Set(entryIds.map((id) => id.toLowerCase()))];
  const jobId = work.newId();
  const options = { source, sourceLocale, targetLocale };
  await jobs.insert(jobId, { kind: 'export', options }, { total: ids.length });
  await work.use(JobFileRepository).insert(
    jobId,
    ids.map((entryId) => ({ name: `${entryId}-${targetLocale}.xlf`, entryId, locale: targetLocale })),
  );
  return { data: presentState(jobId) };
}

type ImportInput = InputOf<typeof translations.startImport>;

interface NewImport {
  readonly jobId: string;
  readonly applyStale: boolean;
  readonly names: readonly string[];
  readonly size: number;
}

async function plan(work: UnitOfWork): Promise<{ jobId: string; tenantId: string }> {
  await work.use(TranslationJobRepository).assertRoom();
  const { tenant } = (await work.use(CatalogRepository).current()).data;
  return { jobId: work.newId(), tenantId: tenant.id };
}

/** @throws AppError 422 `validation_failed` unless the archive has XLIFF files */
async function namesIn(archive: string): Promise<string[]> {
  const names = await withZip(archive, archiveBounds, ({ members }) =>
    Promise.resolve(members.map(({ name }) => name)),
  );
  if (names.some(isXliffName)) return names;
  throw invalidInput({ path: ['file'], code: 'no_match', message: 'The archive has no XLIFF file.' });
}

async function register(work: UnitOfWork, { jobId, applyStale, names, size }: NewImport): Promise<void> {
  const jobs = work.use(TranslationJobRepository);
  await jobs.assertRoom();
  const options = { applyStale };
  await jobs.insert(jobId, { kind: 'import', options }, { total: names.length, size });
  const files = names.map((name) => ({ name, entryId: null, locale: null }));
  await work.use(JobFileRepository).insert(jobId, files);
}

/** Checks the directory of the archive and stores it. Its files are unpacked when the job runs. */
export async function startImport(
  inPart: RunPart,
  { file, applyStale }: ImportInput,
  { storage }: { readonly storage: MediaStorage },
): Promise<{ data: TranslationJobState }> {
  let staged: StagedFile | undefined;
  try {
    const { jobId, tenantId } = await inPart(plan);
    staged = await StagedFile.create(storage.staging);
    const size = await stageFile(file, staged, limits.translationArchiveBytes);
    const names = await namesIn(staged.path);
    const key = importKey(tenantId, jobId);
    await storage.put(key, { file: staged.path }, 'application/zip');
    await inPart((work) => register(work, { jobId, applyStale, names, size })).catch(
      async (error: unknown) => {
        await settled(storage.remove(key));
        throw error;
      },
    );
    return { data: presentState(jobId) };
  } catch (error) {
    throw archiveRefusal(fileRefusal(error));
  } finally {
    await staged?.discard();
  }
}
