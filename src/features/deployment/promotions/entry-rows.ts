import { AppError } from '../../../../contracts/errors.js';
import { composeValues } from '../../../content/blocks/stored-values.js';
import { valueParts } from '../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import { ROOT, type Difference } from '../../../content/three-way.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { initialState, storedState } from '../../../content/workflow/workflow-definition.js';
import { linkRows, titleOf, type LinkRow, type OwnedBlock } from '../../entries/entries/index.js';
import { pathOfKey, readKey } from './block-parts.js';
import { valuesOfPart, type EntryContext } from './entry-values.js';
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

/** What an entry contains and links. */
interface HeldRows {
  readonly blocks: readonly OwnedBlock[];
  readonly links: readonly (LinkRow & { readonly entryId: string })[];
}

/** An entry as the target will store it. */
export interface EntryRows extends HeldRows {
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
}

/** Paths of the values in a difference; a whole locale is all of its fields. */
function changedNames(
  type: ContentTypeDefinition,
  { part, key }: Difference,
  { item, context }: { readonly item: PlannedItem; readonly context: EntryContext },
): string[] {
  if (key === 'slug') return ['_slug'];
  const read = key === null ? undefined : readKey(key);
  const { source, target } = context.pair;
  if (read !== undefined && read.blockId !== null)
    return [
      pathOfKey(
        { part, key: read },
        item.sides,
        (id) => (target.field(id) ?? source.field(id))?.apiName ?? id,
      ),
    ];
  if (key !== null) return type.fields.filter(({ id }) => id === key).map(({ apiName }) => apiName);
  const names = type.fields
    .filter(({ localized }) => localized === (part !== ROOT))
    .map(({ apiName }) => apiName);
  return part === ROOT ? names : [...names, '_slug'];
}

/** The blocks and links of an entry, each once. */
function heldBy(
  {
    id: entryId,
    type,
    sharedFields,
    locales,
  }: Pick<EntryRows, 'id' | 'sharedFields' | 'locales'> & {
    readonly type: ContentTypeDefinition;
  },
  catalog: Catalog,
): HeldRows {
  const blocks = new Map<string, OwnedBlock>();
  const links = new Map<string, HeldRows['links'][number]>();
  for (const { locale, fields } of locales) {
    const values = composeValues(sharedFields, fields);
    for (const { type: own, block } of valueParts(catalog, type, values))
      if (block !== null) blocks.set(block._ref, { id: block._ref, entryId, contentTypeId: own.id });
    for (const link of linkRows(catalog, type, { values, locale }))
      links.set(JSON.stringify(link), { entryId, ...link });
  }
  return { blocks: [...blocks.values()], links: [...links.values()] };
}

/**
 * Which parts are written: a type without locales has the shown one, and keeps what the target has in others.
 * @throws AppError 409 `promotion_type_differs` if the source changed another locale
 */
function writtenParts(
  { kind, id, stored, taken }: PlannedItem,
  { isLocalized }: ContentTypeDefinition,
): (part: string) => boolean {
  if (isLocalized) return () => true;
  const rows = [...stored.target, ...stored.source].filter(({ part }) => part !== ROOT);
  const shown = rows.find(({ row }) => row.is_shown === true)?.part;
  const isHidden = (part: string): boolean =>
    stored.source.find((one) => one.part === part)?.row.is_deleted === true;
  const other = taken.find(({ part }) => part !== ROOT && part !== shown && !isHidden(part));
  if (other !== undefined) throw new AppError('promotion_type_differs', { kind, id, locale: other.part });
  return (part) => part === ROOT || part === shown;
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
  const sharedFields = valuesOfPart(item, { type, part: ROOT }, context);
  const workflow = catalog.workflowOf({ contentTypeId, siteId });
  const workflowState = workflow === undefined ? null : storedState(workflow, initialState(workflow));
  const parts = [...item.merged].flatMap(([locale, values]): EntryLocale[] => {
    if (locale === ROOT) return [];
    const fields = valuesOfPart(item, { type, part: locale }, context);
    const slug = String(values.slug);
    const title = titleOf(type, { ...sharedFields, ...fields }, slug);
    return [{ entryId: item.id, locale, slug, title, fields, workflowState }];
  });
  const isWritten = writtenParts(item, type);
  const locales = parts.filter(({ locale }) => isWritten(locale));
  const isShared = item.taken.some(({ part }) => part === ROOT);
  const taken = item.taken.filter(({ part }) => isWritten(part));
  const changedParts = new Set(taken.map(({ part }) => part));
  return {
    id: item.id,
    contentTypeId,
    siteId,
    externalId: typeof root.external_id === 'string' ? root.external_id : null,
    sharedFields,
    changedFields: [...new Set(taken.flatMap((one) => changedNames(type, one, { item, context })))],
    isNew: item.change === 'created',
    locales,
    written: locales.map(({ locale }) => locale).filter((locale) => isShared || changedParts.has(locale)),
    removed: [...item.sides.target.keys()].filter((part) => isWritten(part) && !item.merged.has(part)),
    ...heldBy({ id: item.id, type, sharedFields, locales: parts }, catalog),
  };
}
