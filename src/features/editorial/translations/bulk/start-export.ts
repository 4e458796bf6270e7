import { invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { translations } from '../../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { TranslationJobState } from '../../../../../contracts/editorial/translations/translation-job.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { resolveLocale, resolveSiteIds, resolveTypeIds } from '../../../entries/entries/index.js';
import { TranslationListRepository } from '../translation-list.repository.js';
import { JobFileRepository } from './job-file.repository.js';
import { TranslationJobRepository } from './translation-job.repository.js';
import { presentState } from './jobs.js';

type Input = InputOf<typeof translations.startExport>;

/** @throws AppError 422 `validation_failed` unless some match, and not too many */
async function idsOf(
  work: UnitOfWork,
  catalog: Catalog,
  { filter = {}, targetLocale }: Input,
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
export async function startExport(work: UnitOfWork, input: Input): Promise<{ data: TranslationJobState }> {
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
