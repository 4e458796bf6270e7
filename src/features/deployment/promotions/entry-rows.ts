import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import { ROOT, type Difference, type Properties } from '../../../content/three-way.js';
import { composeValues } from '../../../content/blocks/stored-values.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { initialState, storedState } from '../../../content/workflow/workflow-definition.js';
import { linkRows, titleOf, type LinkRow } from '../../entries/entries/index.js';
import { linkByName, type MergedNames } from './apply-content-types.js';
import { isLink } from './vocabulary.repository.js';
import type { PairNames } from './compare-items.js';
import type { PlannedItem } from './promotion-plan.js';

interface EntryLocale {
  readonly entryId: string;
  readonly locale: string;
  readonly slug: string;
  readonly title: string;
  readonly fields: FieldValues;
  /** Of a new locale. */
  readonly workflowState: string | null;
}

/** An entry as the target will store it. */
export interface EntryRows {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly externalId: string | null;
  readonly sharedFields: FieldValues;
  readonly changedFields: readonly string[];
  readonly isNew: boolean;
  readonly locales: readonly EntryLocale[];
  /** Locales whose content or shared values changed. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly links: readonly (LinkRow & { readonly entryId: string })[];
}

export interface EntryContext {
  readonly catalog: Catalog;
  readonly names: MergedNames;
  readonly pair: PairNames;
}

/** Names of the values in a difference; a whole locale is all of its fields. */
function changedNames(type: ContentTypeDefinition, { part, key }: Difference): string[] {
  if (key === 'slug') return ['_slug'];
  if (key !== null) return type.fields.filter(({ id }) => id === key).map(({ apiName }) => apiName);
  const names = type.fields
    .filter(({ localized }) => localized === (part !== ROOT))
    .map(({ apiName }) => apiName);
  return part === ROOT ? names : [...names, '_slug'];
}

const systemKeys = new Set(['content_type_id', 'site_id', 'external_id', 'slug']);

function differs(item: PlannedItem, fieldId: string): AppError {
  return new AppError('promotion_type_differs', { kind: item.kind, id: item.id, fieldId });
}

/** Values under the names of the target, of fields that are there what they are in the source. */
function valuesByName(
  item: PlannedItem,
  { type, part, values }: { type: ContentTypeDefinition; part: string; values: Properties },
  { names, pair }: EntryContext,
): FieldValues {
  const isTaken = (key: string): boolean =>
    item.taken.some((one) => one.part === part && (one.key === null || one.key === key));
  const found = Object.entries(values).flatMap(([key, value]) => {
    if (systemKeys.has(key)) return [];
    const field = type.fields.find(({ id }) => id === key);
    const source = pair.source.field(key);
    if (field === undefined) {
      if (isTaken(key)) throw differs(item, key);
      return [];
    }
    const isSame =
      source?.type === field.type && source.isList === field.isList && field.localized === (part !== ROOT);
    if (isTaken(key) && !isSame) throw differs(item, key);
    return [[field.apiName, isLink(field) ? linkByName(value, names) : value] as const];
  });
  return Object.fromEntries(found);
}

/** @throws AppError 409 `promotion_type_differs` */
export function entryRows(item: PlannedItem, context: EntryContext): EntryRows {
  const { catalog } = context;
  const root = item.merged.get(ROOT) ?? {};
  const contentTypeId = String(root.content_type_id);
  const siteId = String(root.site_id);
  const type = catalog.contentTypeById(contentTypeId);
  if (type === undefined)
    throw new AppError('promotion_incomplete', {
      missing: [{ kind: 'contentType', id: contentTypeId, neededBy: { kind: 'entry', id: item.id } }],
    });
  const sharedFields = valuesByName(item, { type, part: ROOT, values: root }, context);
  const workflow = catalog.workflowOf({ contentTypeId, siteId });
  const workflowState = workflow === undefined ? null : storedState(workflow, initialState(workflow));
  const locales = [...item.merged].flatMap(([locale, values]): EntryLocale[] => {
    if (locale === ROOT) return [];
    const fields = valuesByName(item, { type, part: locale, values }, context);
    const slug = String(values.slug);
    const title = titleOf(type, { ...sharedFields, ...fields }, slug);
    return [{ entryId: item.id, locale, slug, title, fields, workflowState }];
  });
  if (!type.isLocalized && locales.length > 1)
    throw new AppError('promotion_type_differs', {
      kind: item.kind,
      id: item.id,
      locales: locales.map(({ locale }) => locale),
    });
  const isShared = item.taken.some(({ part }) => part === ROOT);
  const changedParts = new Set(item.taken.map(({ part }) => part));
  const links = locales.flatMap(({ locale, fields }) =>
    linkRows(catalog, type, { values: composeValues(sharedFields, fields), locale }),
  );
  return {
    id: item.id,
    contentTypeId,
    siteId,
    externalId: typeof root.external_id === 'string' ? root.external_id : null,
    sharedFields,
    changedFields: [...new Set(item.taken.flatMap((one) => changedNames(type, one)))],
    isNew: item.change === 'created',
    locales,
    written: locales.map(({ locale }) => locale).filter((locale) => isShared || changedParts.has(locale)),
    removed: [...item.sides.target.keys()].filter((part) => !item.merged.has(part)),
    links: [...new Map(links.map((link) => [JSON.stringify(link), { entryId: item.id, ...link }])).values()],
  };
}
