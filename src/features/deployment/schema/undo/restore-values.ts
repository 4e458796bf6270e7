import { AppError } from '../../../../../contracts/errors.js';
import type { SchemaStep } from '../../../../../contracts/deployment/schema/schema-plan.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../../content/catalog.js';
import { deliverFields } from '../../../../content/deliver-fields.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
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

/** Fields whose values an entry gets back. */
interface Gained {
  readonly draft: readonly FieldDefinition[];
  readonly live: readonly FieldDefinition[];
  readonly shared: FieldValues;
}

function restoredLocale(
  restoring: Restoring,
  state: FormerLocale,
  { draft, live: fields, shared }: Gained,
): RestoredLocale {
  const { type } = restoring;
  const localized = (some: readonly FieldDefinition[]) => some.filter((field) => field.localized);
  const common = (some: readonly FieldDefinition[]) => some.filter((field) => !field.localized);
  const own = replaced(state.fields, localized(draft), read(restoring, state.former));
  const published = state.published && {
    ...read(restoring, state.published.shared),
    ...read(restoring, state.published.own),
  };
  const live = published === null ? {} : chosen(fields, published);
  const isSame = (some: readonly FieldDefinition[], values: FieldValues): boolean =>
    isEqualJson(shownIn(some, published ?? {}), shownIn(some, values));
  const isSlug = state.published?.own.slug === state.slug;
  return {
    locale: state.locale,
    fields: own,
    live: published === null ? {} : deliverFields(fields, live),
    isSame: {
      content: isSlug && isSame(localized(type.fields), own),
      shared: published !== null && isSame(common(type.fields), shared),
    },
    isAlike: { content: isSame(localized(draft), own), shared: isSame(common(draft), shared) },
    media: mediaOf(fields, live).map(({ field, id }) => ({ fieldId: field.id, assetId: id })),
  };
}

function restoredEntry(restoring: Restoring, entry: FormerEntry): RestoredEntry {
  const { catalog, type, created, converted } = restoring;
  const live = [...created, ...converted];
  const draft = entry.isEdited ? created : live;
  const common = draft.filter((field) => !field.localized);
  const shared = replaced(entry.shared, common, read(restoring, entry.former));
  const locales = entry.locales.map((state) => restoredLocale(restoring, state, { draft, live, shared }));
  const links = locales.flatMap(({ locale, fields }) =>
    linkRows(catalog, { ...type, fields: draft }, { values: { ...shared, ...fields }, locale }),
  );
  return { id: entry.id, shared, fieldIds: draft.map(({ id }) => id), locales, links };
}

/** What changes in a draft; the values of other fields stay. */
function changedContent(
  type: ContentTypeDefinition,
  before: FormerEntry,
  after: RestoredEntry,
): ChangedContent[] {
  const differing = (localized: boolean, old: FieldValues, restored: FieldValues): string[] =>
    type.fields
      .filter((field) => field.localized === localized)
      .map(({ apiName }) => apiName)
      .filter((name) => !isEqualJson(old[name], restored[name]));
  const { id } = before;
  return [
    { id, locale: null, names: differing(false, before.shared, after.shared) },
    ...before.locales.map(({ locale, fields }, index) => ({
      id,
      locale,
      names: differing(true, fields, after.locales[index]?.fields ?? {}),
    })),
  ].filter(({ names }) => names.length > 0);
}

async function restoreType(
  work: UnitOfWork,
  { mark, catalog, ...fields }: Omit<Restoring, 'renames'> & { readonly mark: number },
): Promise<void> {
  const { type, created } = fields;
  const content = work.use(FormerContentRepository);
  for await (const entries of content.entries(type.id, mark)) {
    const renames = await work.use(RenameRepository).ofEntries(
      entries.map(({ id }) => id),
      mark,
    );
    const restoring = { ...fields, catalog, renames };
    const restored = entries.map((entry) => [entry, restoredEntry(restoring, entry)] as const);
    await content.write(restored.map(([, entry]) => entry));
    const changed = restored.flatMap(([before, after]) => changedContent(fields.type, before, after));
    await leaveApproval(work, catalog, changed);
  }
  const whole = await work.use(ContentTypeRepository).find(type.apiName, 'update');
  for (const row of whole.fields.filter(({ id }) => created.some((field) => field.id === id))) {
    if (row.localized) await work.use(FieldConversionRepository).translate(row);
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
