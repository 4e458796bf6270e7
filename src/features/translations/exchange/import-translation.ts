import { invalidInput } from '../../../../contracts/errors.js';
import type { translations } from '../../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TranslationImportReport } from '../../../../contracts/resources/translation-exchange.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { readXliff, XliffProblem, type ReadXliff } from '../../../content/xliff/read-xliff.js';
import { unitsOf, withTargets } from '../../../content/xliff/units.js';
import { originalOf } from '../../../content/xliff/write-xliff.js';
import { runInTurns } from '../../../infrastructure/turns.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import {
  EntryRepository,
  HistoryRepository,
  localeOf,
  typeOf,
  updateEntry,
  type RichTextConverter,
} from '../../entries/index.js';
import { lockTranslation, type LockedTranslation } from '../lock-translation.js';
import { TranslationRepository } from '../translation.repository.js';
import { decideUnits, type DecidedUnit } from './decide-units.js';

type Input = InputOf<typeof translations.import>;

/** @throws AppError 422 `validation_failed` with the path in the file */
async function parse(xliff: string): Promise<ReadXliff> {
  try {
    return await runInTurns(readXliff(xliff));
  } catch (error) {
    if (!(error instanceof XliffProblem)) throw error;
    const { path, code, message } = error.problem;
    throw invalidInput({ path: ['xliff', ...path.slice(1)], code, message });
  }
}

/**
 * The version of the source that the file was exported from.
 * @throws AppError 422 `validation_failed` for another locale or entry
 */
function versionOf(file: ReadXliff, target: LockedTranslation, { locale }: Input): number {
  const { entryId } = target.entry;
  if (file.targetLocale !== locale)
    throw invalidInput({
      path: ['xliff', 'trgLang'],
      code: 'wrong_locale',
      message: `The target language must be ${locale}.`,
    });
  if (file.sourceLocale !== target.sourceLocale)
    throw invalidInput({
      path: ['xliff', 'srcLang'],
      code: 'wrong_locale',
      message: `The source language must be ${target.sourceLocale}.`,
    });
  const version = Number(/\/versions\/(\d{1,9})$/.exec(file.original)?.[1] ?? Number.NaN);
  if (file.original === originalOf(entryId, version)) return version;
  const message = 'The file was exported from another entry.';
  throw invalidInput({ path: ['xliff', 'file', 'original'], code: 'wrong_entry', message });
}

interface Exported {
  readonly version: number;
  readonly fields: FieldValues;
  readonly hashes: Readonly<Record<string, string>>;
  /** Whether the field is neither as published nor as drafted. */
  readonly isStale: (field: string) => boolean;
}

async function readExported(work: UnitOfWork, target: LockedTranslation, version: number): Promise<Exported> {
  const { sourceLocale, entry } = target;
  const at = await work.use(HistoryRepository).localeAt(entry.entryId, sourceLocale, [version]);
  const fields = at.get(version);
  if (fields === undefined) {
    const message = 'The source has no such version.';
    throw invalidInput({ path: ['xliff', 'file', 'original'], code: 'unknown_version', message });
  }
  const repository = work.use(TranslationRepository);
  const hashes = await repository.hashesOf(fields);
  const stored = await work.use(EntryRepository).find(entry.entryId);
  const draft = await repository.hashesOf(localeOf(stored, sourceLocale)?.fields ?? {});
  const published = await repository.publishedSource(entry.entryId);
  const isStale = (field: string): boolean =>
    hashes[field] !== draft[field] && hashes[field] !== published?.hashes[field];
  return { version, fields, hashes, isStale };
}

/** Writes the fields and notes the source that they were made from. */
async function apply(
  work: UnitOfWork,
  { projectSlug, locale }: Input,
  {
    target,
    source,
    units,
    converter,
  }: {
    target: LockedTranslation;
    source: Exported;
    units: readonly DecidedUnit[];
    converter: RichTextConverter;
  },
): Promise<string[]> {
  const { entryId } = target.entry;
  const targets = new Map(units.map((unit) => [unit.name, unit.target]));
  const names = [...new Set(units.filter(({ outcome }) => outcome === 'applied').map(({ field }) => field))];
  if (names.length === 0) return names;
  const fields = Object.fromEntries(names.map((name) => [name, withTargets(source.fields, name, targets)]));
  const { version } = await work.use(EntryRepository).find(entryId);
  const comment = 'Imported from XLIFF.';
  await updateEntry(work, { projectSlug, id: entryId, version, locale, fields, comment }, converter);
  const translations = work.use(TranslationRepository);
  const mark = (name: string) => ({ hash: source.hashes[name] ?? null, version: source.version });
  await translations.setSource(
    { entryId, locale },
    Object.fromEntries(names.map((name) => [name, mark(name)])),
  );
  return names;
}

async function noteImport(
  work: UnitOfWork,
  target: LockedTranslation,
  changedFields: string[],
): Promise<void> {
  const { entry, before, contentTypeApiName } = target;
  const { entryId, siteId } = entry;
  const { locale } = before;
  const translations = work.use(TranslationRepository);
  const saved = await translations.find(entryId);
  const after = saved.locales.find((known) => known.locale === locale) ?? before;
  translations.note({ action: 'translation.import', entry: saved, before, after });
  const { status } = after;
  const data = { entryId, contentTypeApiName, siteId, locale, status, changedFields };
  work.emit({ type: 'translation.updated', data });
}

/** Applies the targets of an exported file to the draft of the locale. */
export async function importTranslation(
  work: UnitOfWork,
  input: Input,
  converter: RichTextConverter,
): Promise<{ data: TranslationImportReport }> {
  const file = await parse(input.xliff);
  const target = await lockTranslation(work, input.entryId, input.locale);
  const catalog = await work.use(CatalogRepository).current();
  const source = await readExported(work, target, versionOf(file, target, input));
  const entry = await work.use(EntryRepository).find(target.entry.entryId);
  const isStale = (field: string): boolean => !input.applyStale && source.isStale(field);
  const units = decideUnits(unitsOf(typeOf(catalog, entry).fields, source.fields), file.units, {
    hashes: source.hashes,
    isStale,
  });
  const appliedFields = await apply(work, input, { target, source, units, converter });
  if (appliedFields.length > 0) await noteImport(work, target, appliedFields);
  const { version } = await work.use(EntryRepository).find(entry.id);
  const report = units.map(({ unit, field, outcome, code, message }) => ({
    unit,
    field,
    outcome,
    code,
    message,
  }));
  return { data: { entryId: entry.id, locale: input.locale, version, appliedFields, units: report } };
}
