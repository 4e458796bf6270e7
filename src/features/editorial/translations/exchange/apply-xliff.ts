import type {
  ImportedUnit,
  TranslationImportReport,
} from '../../../../../contracts/editorial/translations/translation-job.js';
import { codeIds, type Inline } from '../../../../content/xliff/inline.js';
import type { ReadUnit, ReadXliff } from '../../../../content/xliff/read-xliff.js';
import { blockChanges, writtenValue } from '../../../../content/blocks/block-changes.js';
import { composeValues } from '../../../../content/blocks/stored-values.js';
import { translatedValues } from '../../../../content/blocks/translated-values.js';
import { ownBlocksIn } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import {
  type Unit,
  unitsOf,
  withTargets,
  writtenFields,
  unitIdOf,
  originalOf,
} from '../../../../content/xliff/write-xliff.js';
import { invalidInput } from '../../../../../contracts/errors.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import {
  EntryRepository,
  HistoryRepository,
  localizedOf,
  noValues,
  typeOf,
  updateEntry,
  valuesIn,
  valuesOf,
  type RichTextConverter,
} from '../../../entries/entries/index.js';
import type { LockedTranslation } from '../lock-translation.js';
import { TranslationRepository } from '../translation.repository.js';

interface DecidedUnit extends ImportedUnit {
  readonly name: string;
  readonly target: readonly Inline[];
}

interface Decision {
  /** As the file was exported. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly isStale: (field: string) => boolean;
  /** Whether the field is one of a block that the entry no longer has. */
  readonly isRemoved: (field: string) => boolean;
}

type Verdict = Pick<ImportedUnit, 'outcome' | 'code' | 'message'>;
const verdict = (
  outcome: ImportedUnit['outcome'],
  code: string | null = null,
  message: string | null = null,
): Verdict => ({
  outcome,
  code,
  message,
});

const isBlank = (content: readonly Inline[]): boolean =>
  content.every((inline) => inline.kind === 'text' && inline.text.trim() === '');

const hasSameCodes = (one: readonly Inline[], other: readonly Inline[]): boolean =>
  codeIds(one).sort().join(' ') === codeIds(other).sort().join(' ');

function judge(
  { field, segment }: Unit,
  read: ReadUnit | undefined,
  { isStale, isRemoved }: Pick<Decision, 'isStale' | 'isRemoved'>,
): Verdict {
  if (isRemoved(field))
    return verdict('invalid', 'removed_block', 'The entry no longer has the block of this unit.');
  if (read === undefined) return verdict('invalid', 'missing_unit', 'The file lacks this unit.');
  if (read.target === null || (isBlank(read.target) && !isBlank(segment.content)))
    return verdict('untranslated');
  if (!hasSameCodes(segment.content, read.target))
    return verdict(
      'invalid',
      'changed_codes',
      'Marks and placeholders of the source must appear exactly once.',
    );
  if (isStale(field))
    return verdict('stale_source', 'stale_source', `The source of ${field} has changed since the export.`);
  return verdict('applied');
}

/** A field is applied with all its units or not at all. */
function decideUnits(
  units: readonly Unit[],
  read: ReadonlyMap<string, ReadUnit>,
  decision: Decision,
): DecidedUnit[] {
  const judged = units.map((unit): DecidedUnit => {
    const id = unitIdOf({ name: unit.name, hash: decision.hashes[unit.field] ?? '' });
    const found = read.get(id);
    return {
      unit: id,
      field: unit.field,
      name: unit.name,
      target: found?.target ?? [],
      ...judge(unit, found, decision),
    };
  });
  const incomplete = new Set(judged.filter(({ outcome }) => outcome !== 'applied').map(({ field }) => field));
  return judged.map((unit) => {
    if (unit.outcome !== 'applied' || !incomplete.has(unit.field)) return unit;
    return {
      ...unit,
      ...verdict('invalid', 'incomplete_field', 'Another unit of the field cannot be applied.'),
    };
  });
}

/**
 * The version of the source that the file was exported from.
 * @throws AppError 422 `validation_failed` for another locale or entry
 */
function versionOf(file: ReadXliff, { entry, before, sourceLocale }: LockedTranslation): number {
  const { entryId } = entry;
  const { locale } = before;
  if (file.targetLocale !== locale)
    throw invalidInput({
      path: ['xliff', 'trgLang'],
      code: 'wrong_locale',
      message: `The target language must be ${locale}.`,
    });
  if (file.sourceLocale !== sourceLocale)
    throw invalidInput({
      path: ['xliff', 'srcLang'],
      code: 'wrong_locale',
      message: `The source language must be ${sourceLocale}.`,
    });
  const version = Number(/\/versions\/(\d{1,9})$/.exec(file.original)?.[1] ?? Number.NaN);
  if (file.original === originalOf(entryId, version)) return version;
  const message = 'The file was exported from another entry.';
  throw invalidInput({ path: ['xliff', 'file', 'original'], code: 'wrong_entry', message });
}

interface Exported {
  readonly version: number;
  /** Shared and localized values. */
  readonly values: FieldValues;
  readonly hashes: Readonly<Record<string, string>>;
  /** Whether the field is neither as published nor as drafted. */
  readonly isStale: (field: string) => boolean;
}

async function readExported(work: UnitOfWork, target: LockedTranslation, version: number): Promise<Exported> {
  const { sourceLocale, entry } = target;
  const at = await work.use(HistoryRepository).snapshotAt(entry.entryId, version, sourceLocale);
  const fields = at?.locales[0]?.fields;
  if (at === undefined || fields === undefined) {
    const message = 'The source has no such version.';
    throw invalidInput({ path: ['xliff', 'file', 'original'], code: 'unknown_version', message });
  }
  const repository = work.use(TranslationRepository);
  const hashes = await repository.hashesOf(fields);
  const stored = await work.use(EntryRepository).find(entry.entryId, valuesIn(sourceLocale));
  const draft = await repository.hashesOf(localizedOf(stored, sourceLocale));
  const published = await repository.publishedSource(entry.entryId);
  const isStale = (field: string): boolean =>
    hashes[field] !== draft[field] && hashes[field] !== published?.hashes[field];
  return { version, values: composeValues(at.shared, fields), hashes, isStale };
}

interface Application {
  readonly projectSlug: string;
  readonly action: 'translation.import' | 'translation.suggest';
  /** Of the version. */
  readonly comment: string;
  /** Also apply fields whose source has changed since. */
  readonly applyStale: boolean;
  /** Leaves out fields that have a value in the locale. */
  readonly isFilling: boolean;
  readonly converter: RichTextConverter;
}

interface Decided {
  readonly target: LockedTranslation;
  readonly source: Exported;
  readonly units: readonly DecidedUnit[];
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  /** Draft values of the locale. */
  readonly current: FieldValues;
}

/** The request that writes these fields, in blocks where these are now. */
function requestOf(
  { source, units, catalog, type, current }: Decided,
  names: ReadonlySet<string>,
): FieldValues {
  const targets = new Map(units.map((unit) => [unit.name, unit.target]));
  const own: Record<string, unknown> = {};
  const inBlocks = new Map<string, Record<string, unknown>>();
  for (const translated of translatedValues(catalog, type, source.values)) {
    if (!names.has(translated.mark)) continue;
    const { blockId, field } = translated;
    const holder = blockId === null ? own : (inBlocks.get(blockId) ?? {});
    holder[field.apiName] = writtenValue(withTargets(catalog, translated, targets));
    if (blockId !== null) inBlocks.set(blockId, holder);
  }
  return { ...own, ...blockChanges(catalog, { type, values: current }, inBlocks) };
}

/** Writes the fields and notes the source that they were made from. */
async function apply(
  work: UnitOfWork,
  { projectSlug, comment, converter }: Application,
  decided: Decided,
): Promise<string[]> {
  const { target, source, units } = decided;
  const { entryId } = target.entry;
  const { locale } = target.before;
  const names = new Set(units.filter(({ outcome }) => outcome === 'applied').map(({ field }) => field));
  if (names.size === 0) return [];
  const fields = requestOf(decided, names);
  const { version } = await work.use(EntryRepository).find(entryId, noValues);
  const change = { projectSlug, id: entryId, version, locale, fields, comment };
  // The call names the translation; its entry is changed along with it.
  await work.part((part) => updateEntry(part, change, converter));
  const translations = work.use(TranslationRepository);
  const mark = (name: string) => ({ hash: source.hashes[name] ?? null, version: source.version });
  const marks = Object.fromEntries([...names].map((name) => [name, mark(name)]));
  await translations.setSource({ entryId, locale }, marks);
  return [...names];
}

async function noteApplied(
  work: UnitOfWork,
  target: LockedTranslation,
  { action, changedFields }: Pick<Application, 'action'> & { changedFields: string[] },
): Promise<void> {
  const { entry, before, contentTypeApiName } = target;
  const { entryId, siteId } = entry;
  const { locale } = before;
  const translations = work.use(TranslationRepository);
  const saved = await translations.find(entryId);
  const after = saved.locales.find((known) => known.locale === locale) ?? before;
  translations.note({ action, entry: saved, before, after });
  const { status } = after;
  const data = { entryId, contentTypeApiName, siteId, locale, status, changedFields };
  work.emit({ type: 'translation.updated', data });
}

/** Applies the targets of an exported file to the draft of a locked translation. */
export async function applyXliff(
  work: UnitOfWork,
  { file, target }: { readonly file: ReadXliff; readonly target: LockedTranslation },
  application: Application,
): Promise<TranslationImportReport> {
  const { entryId } = target.entry;
  const { locale } = target.before;
  const catalog = await work.use(CatalogRepository).current();
  const source = await readExported(work, target, versionOf(file, target));
  const entry = await work.use(EntryRepository).find(entryId, valuesIn(locale));
  const type = typeOf(catalog, entry);
  const current = valuesOf(entry, locale);
  const written = application.isFilling ? writtenFields(catalog, type, current) : new Set<string>();
  const given = unitsOf(catalog, type, source.values).filter(({ field }) => !written.has(field));
  const blocks = ownBlocksIn(catalog, type, current);
  const removed = new Set(
    translatedValues(catalog, type, source.values).flatMap(({ blockId, mark }) =>
      blockId === null || blocks.has(blockId) ? [] : [mark],
    ),
  );
  const units = decideUnits(given, file.units, {
    hashes: source.hashes,
    isStale: (field) => !application.applyStale && source.isStale(field),
    isRemoved: (field) => removed.has(field),
  });
  const changedFields = await apply(work, application, { target, source, units, catalog, type, current });
  if (changedFields.length > 0)
    await noteApplied(work, target, { action: application.action, changedFields });
  const { version } = await work.use(EntryRepository).find(entryId, noValues);
  const report = units.map(({ name: _name, target: _target, ...unit }) => unit);
  return { entryId, locale, version, appliedFields: changedFields, units: report };
}
