import { AppError } from '../../../../../contracts/errors.js';
import type { translations } from '../../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { TranslationExport } from '../../../../../contracts/editorial/translations/translation-exchange.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { unitsOf, type Unit } from '../../../../content/xliff/units.js';
import { writeXliff, type SegmentState } from '../../../../content/xliff/write-xliff.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import {
  documentLocale,
  EntryRepository,
  HistoryRepository,
  localeOf,
  localizedOf,
  notLocalized,
  siteOf,
  typeOf,
  valuesIn,
} from '../../../entries/entries/index.js';
import type { StoredTranslation } from '../stored-translation.js';
import { TranslationRepository } from '../translation.repository.js';

type Input = InputOf<typeof translations.export>;
type Entry = Awaited<ReturnType<EntryRepository['find']>>;

interface Source {
  readonly version: number;
  readonly fields: FieldValues;
  readonly hashes: Readonly<Record<string, string>>;
}

/** @throws AppError 409 `source_missing` */
async function readSource(
  work: UnitOfWork,
  entry: Entry,
  { locale, source }: { locale: string; source: Input['source'] },
): Promise<Source> {
  const state = localeOf(entry, locale);
  const translations = work.use(TranslationRepository);
  if (source === 'draft') {
    if (state === undefined) throw new AppError('source_missing');
    const fields = localizedOf(entry, locale);
    return { version: entry.version, fields, hashes: await translations.hashesOf(fields) };
  }
  const published = await translations.publishedSource(entry.id);
  if (published === undefined || state === undefined || state.publishedAt === null)
    throw new AppError('source_missing');
  const at = await work.use(HistoryRepository).localeAt(entry.id, locale, [published.version]);
  return { ...published, fields: at.get(published.version) ?? {} };
}

const states: Readonly<Record<StoredTranslation['status'], SegmentState>> = {
  missing: 'initial',
  in_progress: 'translated',
  needs_review: 'translated',
  complete: 'final',
  stale: 'translated',
};

/** Strings are exported with their translation; rich text is translated again as a whole. */
function targetOf(unit: Unit, fields: FieldValues): string | null {
  const value = fields[unit.field];
  const isPlain = unit.segment.codes.atoms.size === 0 && unit.name === unit.field;
  return isPlain && typeof value === 'string' ? value : null;
}

/** An entry with the source that its translation into the locale is made from. */
export interface Translatable {
  readonly entry: Entry;
  readonly translation: StoredTranslation;
  readonly sourceLocale: string;
  readonly version: number;
  /** Values of the locale. */
  readonly target: FieldValues;
  readonly units: readonly (Unit & { readonly hash: string })[];
}

/** @throws AppError 404 `entry_not_found` or `locale_not_found`, 409 `source_missing`, 422 `source_locale` */
export async function readTranslatable(
  work: UnitOfWork,
  { entryId, locale, source: wanted }: Pick<Input, 'entryId' | 'locale' | 'source'>,
): Promise<Translatable> {
  const catalog = await work.use(CatalogRepository).current();
  const { locales } = await work.use(TranslationRepository).find(entryId);
  const entry = await work.use(EntryRepository).find(entryId, [...valuesIn(), locale]);
  const own = documentLocale(catalog, entry);
  if (own !== undefined) throw notLocalized(own, { locale });
  const { defaultLocale: sourceLocale } = siteOf(catalog, entry);
  if (locale === sourceLocale) throw new AppError('source_locale');
  const translation = locales.find((known) => known.locale === locale);
  if (translation === undefined) throw new AppError('locale_not_found');
  const { version, fields, hashes } = await readSource(work, entry, { locale: sourceLocale, source: wanted });
  const target = localizedOf(entry, locale);
  const units = unitsOf(typeOf(catalog, entry).fields, fields).map((unit) => ({
    ...unit,
    hash: hashes[unit.field] ?? '',
  }));
  return { entry, translation, sourceLocale, version, target, units };
}

/** The file of one entry, and the locale that it is translated from. */
export async function writeTranslation(
  work: UnitOfWork,
  input: Pick<Input, 'entryId' | 'locale' | 'source'>,
): Promise<TranslationExport & { sourceLocale: string }> {
  const { locale } = input;
  const { entry, translation, target, units: all, ...source } = await readTranslatable(work, input);
  const units = all.map((unit) => {
    const written = targetOf(unit, target);
    const isOutdated = translation.outdatedFields.includes(unit.field);
    const state: SegmentState = written === null || isOutdated ? 'initial' : states[translation.status];
    return { ...unit, target: written, state };
  });
  const xliff = writeXliff({ entryId: entry.id, ...source, targetLocale: locale, units });
  return { xliff, fileName: `${entry.id}-${locale}.xlf`, sourceLocale: source.sourceLocale };
}

export async function exportTranslation(
  work: UnitOfWork,
  input: Input,
): Promise<{ data: TranslationExport }> {
  const { xliff, fileName } = await writeTranslation(work, input);
  return { data: { xliff, fileName } };
}
