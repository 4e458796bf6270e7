import type { TranslationLocale } from '../../../contracts/resources/translation.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { LockedTranslation } from './lock-translation.js';
import { presentTranslation } from './translation.presenter.js';
import { TranslationRepository, type TranslationChange } from './translation.repository.js';

interface Application {
  readonly action: 'translation.update' | 'translation.mark_stale';
  readonly change: TranslationChange;
}

/** Saves a change with its audit record and its event. */
export async function applyChange(
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
