import { AppError } from '../../../../../contracts/errors.js';
import type { SchemaStep } from '../../../../../contracts/deployment/schema/schema-plan.js';
import { changedNames } from '../../../../content/blocks/changed-paths.js';
import { divideValues } from '../../../../content/blocks/convert-values.js';
import { composeValues, splitValues } from '../../../../content/blocks/stored-values.js';
import { knownValues, mapParts, valueParts } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../../content/catalog.js';
import { deliverBlocks, deliverFields } from '../../../../content/deliver-fields.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { mediaOf } from '../../../../content/links.js';
import type { FieldValues } from '../../../../content/model/field-definition.js';
import type { Renames } from '../../../../content/renames.js';
import { checkShapes } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { ContentTypeRepository, TitleRepository } from '../../../content/content-types/index.js';
import { leaveApproval, linkRows, type ChangedContent } from '../../../entries/entries/index.js';
import { FieldConversionRepository, FieldValueRepository } from '../../../content/fields/index.js';
import { RenameRepository } from '../../../environments/renames/index.js';
import {
  FormerContentRepository,
  type FormerEntry,
  type FormerLocale,
  type FormerValues,
  type RestoredEntry,
  type RestoredLocale,
} from './former-content.repository.js';

interface Restoring {
  readonly catalog: Catalog;
  /** The type of the fields; entries may be of another and have blocks of it. */
  readonly type: ContentTypeDefinition;
  /** Fields that the undo created again. */
  readonly created: readonly FieldDefinition[];
  /** Fields whose values the apply converted; what was edited since stays. */
  readonly converted: readonly FieldDefinition[];
  readonly renames: Renames;
}

/** Values before the apply under today's names, which an undo restores. */
const read = ({ renames }: Restoring, values: FormerValues | null | undefined): FieldValues =>
  values ? renames.values(values.fields, values.renameNumber) : {};

/** Of values that fit the field. */
function chosen(fields: readonly FieldDefinition[], values: FieldValues): FieldValues {
  const fitting = fields.filter(
    (field) => Object.hasOwn(values, field.apiName) && checkShapes([field], values).length === 0,
  );
  return Object.fromEntries(fitting.map(({ apiName }) => [apiName, values[apiName]]));
}

const shownIn = (fields: readonly FieldDefinition[], values: FieldValues): FieldValues =>
  Object.fromEntries(fields.map(({ apiName }) => [apiName, values[apiName]] as const));

function replaced(before: FieldValues, fields: readonly FieldDefinition[], values: FieldValues): FieldValues {
  const names = new Set(fields.map(({ apiName }) => apiName));
  const kept = Object.entries(before).filter(([name]) => !names.has(name));
  return { ...Object.fromEntries(kept), ...chosen(fields, values) };
}

/** Values of the entry, under an empty id, and of its blocks, that have the fields. */
const partsOf = ({ catalog, type }: Restoring, entryType: ContentTypeDefinition, values: FieldValues) =>
  new Map(
    valueParts(catalog, entryType, values)
      .filter((part) => part.type.id === type.id)
      .map((part) => [part.block?._ref ?? '', part.values] as const),
  );

/** A locale with the values that it had, and the values it had when it was published, if that was before the apply. */
interface GainedLocale {
  readonly state: FormerLocale;
  readonly values: FieldValues;
  readonly published: FieldValues | null;
}

function gainedLocale(
  restoring: Restoring,
  entryType: ContentTypeDefinition,
  { entry, state, draft }: { entry: FormerEntry; state: FormerLocale; draft: readonly FieldDefinition[] },
): GainedLocale {
  const { catalog, type } = restoring;
  const former = composeValues(read(restoring, entry.former), read(restoring, state.former));
  const parts = partsOf(restoring, entryType, former);
  const current = composeValues(entry.shared, state.fields);
  const values = mapParts(catalog, { type: entryType, values: current }, (part) =>
    part.type.id === type.id
      ? replaced(part.values, draft, parts.get(part.block?._ref ?? '') ?? {})
      : part.values,
  );
  const published =
    state.published &&
    composeValues(read(restoring, state.published.shared), read(restoring, state.published.own));
  return { state, values, published: published && knownValues(catalog, entryType, published) };
}

/** What the published document of a locale gets back. */
function liveValues(
  restoring: Restoring,
  entryType: ContentTypeDefinition,
  published: FieldValues,
): Pick<RestoredLocale, 'live' | 'liveBlocks' | 'formerBlocks' | 'media'> {
  const { catalog, created, converted } = restoring;
  const fields = [...created, ...converted];
  const { '': live = {}, ...liveBlocks } = Object.fromEntries(
    [...partsOf(restoring, entryType, published)].map(([id, values]) => [
      id,
      deliverFields(fields, chosen(fields, values)),
    ]),
  );
  const media = valueParts(catalog, entryType, published).flatMap((part) =>
    mediaOf(part.type.fields, part.values).map(({ field, id }) => ({ fieldId: field.id, assetId: id })),
  );
  return { live, liveBlocks, formerBlocks: deliverBlocks(catalog, entryType, published), media };
}

const nothingLive = { live: {}, liveBlocks: {}, formerBlocks: null, media: [] };

function restoredEntry(
  restoring: Restoring,
  entryType: ContentTypeDefinition,
  entry: FormerEntry,
): RestoredEntry {
  const { catalog, created, converted } = restoring;
  const draft = entry.isEdited ? created : [...created, ...converted];
  const gained = entry.locales.map((state) => gainedLocale(restoring, entryType, { entry, state, draft }));
  const { shared, localized } = divideValues(
    catalog,
    entryType,
    gained.map(({ values }) => values),
  );
  const locales = gained.map(({ state, values, published }, index): RestoredLocale => {
    const fields = localized[index] ?? {};
    const was = published && splitValues(catalog, entryType, published);
    const isSlug = state.published?.own.slug === state.slug;
    const before = partsOf(restoring, entryType, published ?? {});
    const isAlike = [...partsOf(restoring, entryType, values)].every(([id, own]) =>
      isEqualJson(shownIn(draft, before.get(id) ?? {}), shownIn(draft, own)),
    );
    return {
      locale: state.locale,
      fields,
      ...(published === null ? nothingLive : liveValues(restoring, entryType, published)),
      isSame: {
        content: isSlug && isEqualJson(was?.localized, fields),
        shared: was !== null && isEqualJson(was.shared, shared),
      },
      isAlike: { content: isAlike, shared: isAlike },
    };
  });
  const links = locales.flatMap(({ locale }, index) =>
    linkRows(catalog, entryType, { values: gained[index]?.values ?? {}, locale }),
  );
  return { id: entry.id, shared, locales, links };
}

/** What changes in a draft; the values of other fields stay. */
function changedContent(before: FormerEntry, after: RestoredEntry): ChangedContent[] {
  const { id } = before;
  return [
    { id, locale: null, names: changedNames(before.shared, after.shared) },
    ...before.locales.map(({ locale, fields }, index) => ({
      id,
      locale,
      names: changedNames(fields, after.locales[index]?.fields ?? {}),
    })),
  ].filter(({ names }) => names.length > 0);
}

/** Of entries of one type. */
async function restoreEntries(
  work: UnitOfWork,
  { mark, ...fields }: Omit<Restoring, 'renames'> & { readonly mark: number },
  entries: readonly FormerEntry[],
): Promise<void> {
  const { catalog } = fields;
  const entryType = catalog.contentTypeById(entries[0]?.contentTypeId ?? '');
  if (entryType === undefined) return;
  const ids = entries.map(({ id }) => id);
  const restoring = { ...fields, renames: await work.use(RenameRepository).ofEntries(ids, mark) };
  const restored = entries.map((entry) => [entry, restoredEntry(restoring, entryType, entry)] as const);
  await work.use(FormerContentRepository).write(restored.map(([, entry]) => entry));
  const changed = restored.flatMap(([before, after]) => changedContent(before, after));
  await leaveApproval(work, catalog, changed);
}

async function restoreType(
  work: UnitOfWork,
  restoring: Omit<Restoring, 'renames'> & { readonly mark: number },
): Promise<void> {
  const { type, created, mark } = restoring;
  for await (const entries of work.use(FormerContentRepository).entries(type.id, mark))
    for (const ofType of Map.groupBy(entries, ({ contentTypeId }) => contentTypeId).values())
      await restoreEntries(work, restoring, ofType);
  const whole = await work.use(ContentTypeRepository).find(type.apiName, 'update');
  for (const row of whole.fields.filter(({ id }) => created.some((field) => field.id === id))) {
    // Of a blocks field the document has links only.
    if (row.localized && !kindOf(row).takesBlocks) await work.use(FieldConversionRepository).translate(row);
    if (row.unique && !(await work.use(FieldValueRepository).claimPublished(row, row.localized)))
      throw new AppError(
        'field_in_use',
        { field: row.apiName },
        'Published entries share a value of this field.',
      );
  }
  await work.use(TitleRepository).follow(whole, whole, true);
}

const isConversion = ({ action, changes }: SchemaStep): boolean =>
  action === 'update' && changes.some(({ key }) => key === 'isList' || key === 'localized');

/**
 * Restores what the apply removed from drafts and published documents: values of fields that the undo created again, and
 * what conversions lost of entries that were not edited since. They come from the versions before the apply.
 */
export async function restoreValues(
  work: UnitOfWork,
  steps: readonly SchemaStep[],
  mark: number,
): Promise<void> {
  const ofFields = steps.filter(({ kind }) => kind === 'field');
  const catalog = await work.use(CatalogRepository).current();
  for (const name of new Set(ofFields.map(({ contentType }) => contentType ?? ''))) {
    const type = catalog.contentTypes.get(name);
    if (type === undefined) continue;
    const own = ofFields.filter(({ contentType }) => contentType === name);
    const named = (test: (step: SchemaStep) => boolean): FieldDefinition[] => {
      const names = new Set(own.filter(test).map((step) => step.name));
      return type.fields.filter(({ apiName }) => names.has(apiName));
    };
    const created = named(({ action }) => action === 'create' || action === 'replace');
    const converted = named(isConversion);
    if (created.length + converted.length > 0)
      await restoreType(work, { type, created, converted, mark, catalog });
  }
}
