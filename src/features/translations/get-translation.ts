import type { translations } from '../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { OutdatedField, TranslationDetail } from '../../../contracts/resources/translation.js';
import type { FieldValues } from '../../content/validate-fields.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { HistoryRepository } from '../entries/index.js';
import type { StoredTranslation } from './stored-translation.js';
import { TranslationRepository } from './translation.repository.js';
import { presentEntryKeys, presentTranslation } from './translation.presenter.js';

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
      then: hash === null ? null : (source.at.get(version)?.[field] ?? null),
      now: source.published?.[field] ?? null,
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
