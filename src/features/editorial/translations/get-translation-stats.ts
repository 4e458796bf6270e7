import type { translations } from '../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TranslationStats } from '../../../../contracts/editorial/translations/translation.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { resolveSiteIds, resolveTypeIds } from '../../entries/entries/index.js';
import { coverageOf, translatedSites, translatedTypes } from './translations.js';
import { TranslationListRepository } from './translation-list.repository.js';

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
