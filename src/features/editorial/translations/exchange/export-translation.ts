import { AppError } from '../../../../../contracts/errors.js';
import type { translations } from '../../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { TranslationExport } from '../../../../../contracts/editorial/translations/translation-job.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { composeValues } from '../../../../content/blocks/stored-values.js';
import { translatedValues } from '../../../../content/blocks/translated-values.js';
import {
  unitsOf,
  writtenFields,
  type Unit,
  writeXliff,
  type SegmentState,
} from '../../../../content/xliff/write-xliff.js';
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
  valuesOf,
} from '../../../entries/entries/index.js';
import type { StoredTranslation } from '../stored-translation.js';
import { TranslationRepository } from '../translation.repository.js';

type Input = InputOf<typeof translations.export>;
type Entry = Awaited<ReturnType<EntryRepository['find']>>;

interface Source {
  readonly version: number;
  /** Shared and localized values. */
  readonly values: FieldValues;
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
    const hashes = await translations.hashesOf(localizedOf(entry, locale));
    return { version: entry.version, values: valuesOf(entry, locale), hashes };
  }
  const published = await translations.publishedSource(entry.id);
  if (published === undefined || state === undefined || state.publishedAt === null)
    throw new AppError('source_missing');
  const at = await work.use(HistoryRepository).snapshotAt(entry.id, published.version, locale);
  return { ...published, values: composeValues(at?.shared ?? {}, at?.locales[0]?.fields ?? {}) };
}

const states: Readonly<Record<StoredTranslation['status'], SegmentState>> = {
  missing: 'initial',
  in_progress: 'translated',
  needs_review: 'translated',
  complete: 'final',
  stale: 'translated',
};

/** Strings are exported with their translation; rich text is translated again as a whole. */
function targetOf(unit: Unit, written: ReadonlyMap<string, unknown>): string | null {
  const value = written.get(unit.field);
  const isPlain = unit.segment.codes.atoms.size === 0 && unit.name === unit.field;
  return isPlain && typeof value === 'string' ? value : null;
}

/** An entry with the source that its translation into the locale is made from. */
export interface Translatable {
  readonly entry: Entry;
  readonly translation: StoredTranslation;
  readonly sourceLocale: string;
  readonly version: number;
  /** Fields that have text in the locale. */
  readonly writtenFields: ReadonlySet<string>;
  /** With the text in the locale of units that are one string. */
  readonly units: readonly (Unit & { readonly hash: string; readonly written: string | null })[];
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
  const { version, values, hashes } = await readSource(work, entry, { locale: sourceLocale, source: wanted });
  const type = typeOf(catalog, entry);
  const target = valuesOf(entry, locale);
  const written = new Map(translatedValues(catalog, type, target).map(({ mark, value }) => [mark, value]));
  const units = unitsOf(catalog, type, values).map((unit) => ({
    ...unit,
    hash: hashes[unit.field] ?? '',
    written: targetOf(unit, written),
  }));
  const writtenNames = writtenFields(catalog, type, target);
  return { entry, translation, sourceLocale, version, writtenFields: writtenNames, units };
}

/** The file of one entry, and the locale that it is translated from. */
export async function writeTranslation(
  work: UnitOfWork,
  input: Pick<Input, 'entryId' | 'locale' | 'source'>,
): Promise<TranslationExport & { sourceLocale: string }> {
  const { locale } = input;
  const {
    entry,
    translation,
    writtenFields: _written,
    units: all,
    ...source
  } = await readTranslatable(work, input);
  const units = all.map(({ written, ...unit }) => {
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
