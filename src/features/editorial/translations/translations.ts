import type {
  TranslationCounts,
  TranslationStatus,
  OutdatedField,
  TranslationDetail,
  Translation,
  TranslationLocale,
  TranslationStats,
} from '../../../../contracts/editorial/translations/translation.js';
import type { translations } from '../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { ListMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { markedValue } from '../../../content/blocks/translated-values.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  HistoryRepository,
  resolveLocale,
  resolveSiteIds,
  resolveTypeIds,
} from '../../entries/entries/index.js';
import { openPage } from '../../shared/cursor/list-page.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { applyView } from '../../access/views/index.js';
import { MemberRepository } from '../../access/users/index.js';
import { TranslationListRepository, type StatusCount } from './translation-list.repository.js';
import type { StoredTranslation } from './stored-translation.js';
import { TranslationRepository, type TranslationChange } from './translation.repository.js';
import { presentEntryKeys, presentTranslation, presentTranslatedEntry } from './translation.presenter.js';
import { lockTranslation, type LockedTranslation } from './lock-translation.js';

const keys = {
  missing: 'missing',
  in_progress: 'inProgress',
  needs_review: 'needsReview',
  complete: 'complete',
  stale: 'stale',
} as const satisfies Record<TranslationStatus, keyof TranslationCounts>;

function sumCounts(counts: readonly StatusCount[]): TranslationCounts {
  const sums = { missing: 0, inProgress: 0, needsReview: 0, complete: 0, stale: 0 };
  for (const { status, count } of counts) sums[keys[status]] += count;
  return sums;
}

interface Coverage extends TranslationCounts {
  readonly total: number;
  readonly coverage: number;
}

/** Nothing to translate is covered. */
function coverageOf(counts: readonly StatusCount[]): Coverage {
  const sums = sumCounts(counts);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const coverage = total === 0 ? 1 : Math.floor((sums.complete / total) * 10_000) / 10_000;
  return { total, ...sums, coverage };
}

/** Draft values of the source by version, and its published values. */
interface SourceValues {
  readonly at: ReadonlyMap<number, FieldValues>;
  readonly published: FieldValues | undefined;
}

function outdatedOf(
  { outdatedFields, provenance }: StoredTranslation,
  source: SourceValues,
): OutdatedField[] {
  return outdatedFields.map((field) => {
    const { version = 0, hash = null } = provenance[field] ?? {};
    return {
      field,
      sourceVersion: version === 0 ? null : version,
      then: hash === null ? null : (markedValue(source.at.get(version) ?? {}, field) ?? null),
      now: markedValue(source.published ?? {}, field) ?? null,
    };
  });
}

async function sourceValues(
  work: UnitOfWork,
  entry: { readonly entryId: string; readonly locales: readonly StoredTranslation[] },
  sourceLocale: string,
): Promise<SourceValues> {
  const versions = entry.locales.flatMap(({ outdatedFields, provenance }) =>
    outdatedFields.map((field) => provenance[field]?.version ?? 0),
  );
  if (versions.length === 0) return { at: new Map(), published: undefined };
  const { version: publishedVersion = 0 } =
    (await work.use(TranslationRepository).publishedSource(entry.entryId)) ?? {};
  const at = await work
    .use(HistoryRepository)
    .localeAt(entry.entryId, sourceLocale, [...new Set([...versions, publishedVersion])]);
  return { at, published: at.get(publishedVersion) };
}

export async function getTranslation(
  work: UnitOfWork,
  { entryId }: InputOf<typeof translations.get>,
): Promise<{ data: TranslationDetail }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(TranslationRepository).find(entryId);
  const keys = presentEntryKeys(entry, catalog);
  const source = await sourceValues(work, entry, keys.sourceLocale);
  const locales = entry.locales.map((stored) => ({
    ...presentTranslation(stored),
    outdated: outdatedOf(stored, source),
  }));
  return { data: { ...keys, locales } };
}

/** Sites with more than one locale, among the given ones. */
const translatedSites = (catalog: Catalog, siteIds: readonly string[] | null): SiteDefinition[] =>
  catalog.data.sites.filter(
    ({ id, locales }) => locales.length > 1 && (siteIds === null || siteIds.includes(id)),
  );

/** Those of the types, null for all, whose entries have translations. */
const translatedTypes = (
  { data, typesForAll }: Catalog,
  ids: readonly string[] | null,
): readonly string[] | null => {
  if (typesForAll.length === 0) return ids;
  return (ids ?? data.contentTypes.map(({ id }) => id)).filter((id) => !typesForAll.includes(id));
};

export async function listTranslations(
  work: UnitOfWork,
  given: InputOf<typeof translations.list>,
): Promise<{ data: Translation[]; meta: ListMeta & { counts: TranslationCounts } }> {
  const input = await applyView(work, 'translations', given);
  const catalog = await work.use(CatalogRepository).current();
  const siteIds = resolveSiteIds(catalog, input.siteId);
  const query = {
    contentTypeIds: translatedTypes(catalog, resolveTypeIds(catalog, input.contentTypeApiName)),
    siteIds,
    locale: resolveLocale(catalog, input.locale),
    statuses: input.status ?? null,
    assigneeIds: input.assigneeId?.map((id) => id.toLowerCase()) ?? null,
    priorities: input.priority ?? null,
    dueBefore: input.dueBefore === undefined ? null : new Date(input.dueBefore),
  };
  const list = work.use(TranslationListRepository);
  const page = openPage(input, { name: 'translations', scope: work.scope });
  const found = await list.list({
    ...query,
    translatedSiteIds: translatedSites(catalog, siteIds).map(({ id }) => id),
    isAscending: input.orderBy === 'createdAt:asc',
    ...page.window,
  });
  const counts = sumCounts(await list.statusCounts(query));
  const items = found.items.map((entry) => presentTranslatedEntry(entry, catalog));
  const { data, meta } = page.envelope({ ...found, items });
  return { data, meta: { ...meta, counts } };
}

interface Application {
  readonly action: 'translation.update' | 'translation.mark_stale';
  readonly change: TranslationChange;
}

/** Saves a change with its audit record and its event. */
async function applyChange(
  work: UnitOfWork,
  { entry, sourceLocale, contentTypeApiName, before }: LockedTranslation,
  { action, change }: Application,
): Promise<TranslationLocale> {
  const translations = work.use(TranslationRepository);
  const { entryId, siteId } = entry;
  const { locale } = before;
  await translations.save({ entryId, locale, sourceLocale }, change);
  const saved = await translations.find(entryId);
  const after = saved.locales.find((known) => known.locale === locale) ?? before;
  translations.note({ action, entry: saved, before, after });
  work.emit({
    type: change.status === 'stale' ? 'translation.stale' : 'translation.updated',
    data: {
      entryId,
      contentTypeApiName,
      siteId,
      locale,
      status: after.status,
      changedFields: Object.keys(change).filter((key) => key !== 'staleReason'),
    },
  });
  return presentTranslation(after);
}

export async function markTranslationStale(
  work: UnitOfWork,
  { entryId, locale, reason }: InputOf<typeof translations.markStale>,
): Promise<{ data: TranslationLocale }> {
  const target = await lockTranslation(work, entryId, locale);
  if (target.before.status === 'missing') throw new AppError('translation_missing');
  const change = { status: 'stale', staleReason: reason ?? null } as const;
  return { data: await applyChange(work, target, { action: 'translation.mark_stale', change }) };
}

/** @throws AppError 404 `user_not_found` */
async function assertMember(work: UnitOfWork, assigneeId: string): Promise<void> {
  if (await work.use(MemberRepository).isActive(assigneeId)) return;
  throw new AppError('user_not_found', { path: ['assigneeId'] });
}

/** Equal values change nothing, but `complete` accepts the source again. */
export async function updateTranslation(
  work: UnitOfWork,
  { projectSlug: _project, entryId, locale, ...input }: InputOf<typeof translations.update>,
): Promise<{ data: TranslationLocale }> {
  const { dueAt, assigneeId, ...rest } = definedKeys(input);
  const target = await lockTranslation(work, entryId, locale);
  const change: TranslationChange = {
    ...rest,
    ...(dueAt !== undefined && { dueAt: dueAt === null ? null : new Date(dueAt) }),
    ...(assigneeId !== undefined && { assigneeId: assigneeId?.toLowerCase() ?? null }),
    ...(rest.status !== undefined && { staleReason: null }),
  };
  const { before } = target;
  if (change.status !== undefined && before.status === 'missing') throw new AppError('translation_missing');
  if (typeof change.assigneeId === 'string' && change.assigneeId !== before.assigneeId)
    await assertMember(work, change.assigneeId);
  const { staleReason: _reason, dueAt: due, ...compared } = change;
  const shown = presentTranslation(before);
  const isChanged =
    hasChanges(shown, { ...compared, ...(due !== undefined && { dueAt: due?.toISOString() ?? null }) }) ||
    (change.status === 'complete' && before.outdatedFields.length > 0);
  if (!isChanged) return { data: shown };
  return { data: await applyChange(work, target, { action: 'translation.update', change }) };
}

export async function getTranslationStats(
  work: UnitOfWork,
  input: InputOf<typeof translations.stats>,
): Promise<{ data: TranslationStats }> {
  const catalog = await work.use(CatalogRepository).current();
  const siteIds = resolveSiteIds(catalog, input.siteId);
  const contentTypeIds = translatedTypes(catalog, resolveTypeIds(catalog, input.contentTypeApiName));
  const sites = translatedSites(catalog, siteIds);
  const list = work.use(TranslationListRepository);
  const counts = await list.statusCounts({
    contentTypeIds,
    siteIds,
    locale: null,
    statuses: null,
    assigneeIds: null,
    priorities: null,
    dueBefore: null,
  });
  const totalEntries = await list.countEntries({
    contentTypeIds,
    translatedSiteIds: sites.map(({ id }) => id),
  });
  const sources = new Set(sites.map(({ defaultLocale }) => defaultLocale));
  const targets = new Set(
    sites.flatMap(({ locales, defaultLocale }) => locales.filter((code) => code !== defaultLocale)),
  );
  const byLocale = Map.groupBy(counts, ({ locale }) => locale);
  const byType = Map.groupBy(counts, ({ contentTypeId }) => contentTypeId);
  return {
    data: {
      sourceLocale: sources.size === 1 ? ([...sources][0] ?? null) : null,
      totalEntries,
      byLocale: [...targets].sort().map((locale) => ({ locale, ...coverageOf(byLocale.get(locale) ?? []) })),
      byContentType: catalog.data.contentTypes
        .filter(({ id }) => byType.has(id))
        .map(({ id, apiName }) => ({ contentTypeApiName: apiName, ...coverageOf(byType.get(id) ?? []) })),
    },
  };
}
