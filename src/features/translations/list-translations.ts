import type { ListMeta } from '../../../contracts/envelopes.js';
import type { translations } from '../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Translation, TranslationCounts } from '../../../contracts/resources/translation.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { resolveLocale, resolveSiteIds, resolveTypeIds } from '../entries/index.js';
import { openPage } from '../shared/index.js';
import { applyView } from '../views/index.js';
import { sumCounts } from './status-counts.js';
import { TranslationListRepository } from './translation-list.repository.js';
import { presentTranslatedEntry } from './translation.presenter.js';
import { translatedSites } from './translated-sites.js';

export async function listTranslations(
  work: UnitOfWork,
  given: InputOf<typeof translations.list>,
): Promise<{ data: Translation[]; meta: ListMeta & { counts: TranslationCounts } }> {
  const input = await applyView(work, 'translations', given);
  const catalog = await work.use(CatalogRepository).current();
  const siteIds = resolveSiteIds(catalog, input.siteId);
  const query = {
    contentTypeIds: resolveTypeIds(catalog, input.contentTypeApiName),
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
