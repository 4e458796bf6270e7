import type {
  Translation,
  TranslationLocale,
} from '../../../../contracts/editorial/translations/translation.js';
import type { Catalog } from '../../../content/catalog.js';
import type { StoredTranslation, TranslatedEntry } from './stored-translation.js';

const timeOf = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());

function staleReasonOf({ status, outdatedFields }: StoredTranslation): TranslationLocale['staleReason'] {
  if (status !== 'stale') return null;
  return outdatedFields.length > 0 ? 'source_changed' : 'marked';
}

export function presentTranslation(stored: StoredTranslation): TranslationLocale {
  const { provenance: _provenance, ...shown } = stored;
  return {
    ...shown,
    dueAt: timeOf(shown.dueAt),
    publishedAt: timeOf(shown.publishedAt),
    staleReason: staleReasonOf(stored),
    updatedAt: new Date(shown.updatedAt).toISOString(),
  };
}

type EntryKeys = Omit<Translation, 'locales'>;

export function presentEntryKeys(entry: TranslatedEntry, catalog: Catalog): EntryKeys {
  const { entryId, title, contentTypeId, siteId } = entry;
  return {
    entryId,
    title,
    contentTypeApiName: catalog.contentTypeById(contentTypeId)?.apiName ?? '',
    siteId,
    sourceLocale: catalog.site(siteId)?.defaultLocale ?? '',
  };
}

export const presentTranslatedEntry = (entry: TranslatedEntry, catalog: Catalog): Translation => ({
  ...presentEntryKeys(entry, catalog),
  locales: entry.locales.map(presentTranslation),
});
