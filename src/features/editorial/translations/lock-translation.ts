import { AppError } from '../../../../contracts/errors.js';
import { authorize } from '../../../access/authorize.js';
import { needsNodePaths } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  documentLocale,
  EntryRepository,
  notLocalized,
  noValues,
  siteOf,
} from '../../entries/entries/index.js';
import { NodePathRepository } from '../../routing/tree/index.js';
import type { StoredTranslation, TranslatedEntry } from './stored-translation.js';
import { TranslationRepository } from './translation.repository.js';

/** A translation of an entry that is locked until the unit of work ends. */
export interface LockedTranslation {
  readonly entry: TranslatedEntry;
  readonly sourceLocale: string;
  readonly contentTypeApiName: string;
  readonly before: StoredTranslation;
}

/**
 * @throws AppError 404 `entry_not_found` or `locale_not_found`, 422 `source_locale` or `type_not_localized`, 403 `permission_denied`
 */
export async function lockTranslation(
  work: UnitOfWork,
  entryId: string,
  locale: string,
): Promise<LockedTranslation> {
  const catalog = await work.use(CatalogRepository).current();
  const stored = await work.use(EntryRepository).lock(entryId, noValues);
  const entry = await work.use(TranslationRepository).find(stored.id);
  const { contentTypeId, siteId, createdBy } = stored;
  const nodeIds = needsNodePaths(work.scope, 'translations.update')
    ? ((await work.use(NodePathRepository).ofEntries([stored.id])).get(stored.id) ?? [])
    : [];
  const isOwn = createdBy.id !== null && createdBy.id === work.scope.actor.id;
  authorize(work, 'translations.update', { contentTypeId, siteId, nodeIds, isOwn, locales: [locale] });
  const own = documentLocale(catalog, stored);
  if (own !== undefined) throw notLocalized(own, { locale });
  const { defaultLocale } = siteOf(catalog, stored);
  if (locale === defaultLocale) throw new AppError('source_locale');
  const before = entry.locales.find((known) => known.locale === locale);
  if (before === undefined) throw new AppError('locale_not_found');
  const contentTypeApiName = catalog.contentTypeById(contentTypeId)?.apiName ?? '';
  return { entry, sourceLocale: defaultLocale, contentTypeApiName, before };
}
