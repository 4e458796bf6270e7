import { kindOf } from '../../../content/field-kinds/index.js';
import { isOwnBlock } from '../../../content/model/own-block.js';
import { mapNamedFields } from '../../../content/field-conditions.js';
import { ROOT, type Parts, type Properties } from '../../../content/three-way.js';
import { blockKey, overlayIn, typesOfBlocks } from './block-parts.js';
import type { ItemKind } from './item-kinds.js';
import type { ItemRow, StoredPart } from './item.repository.js';
import { isLink, type Vocabulary } from './vocabulary.repository.js';

interface Naming {
  readonly names: Vocabulary;
  /** The last rename before the row was written; infinite for a current one. */
  readonly after: number;
  /** Ids of fields that were deleted since, by their last name. */
  readonly lost: ReadonlyMap<string, string>;
  /** Of an entry: ids of the types of blocks in lists that all locales share, by id of the block. */
  readonly blockTypes: ReadonlyMap<string, string>;
}

const none: ReadonlyMap<string, string> = new Map();

/** Of a field of the type, which may be deleted. */
function fieldId(contentTypeId: string, name: string, { names, after, lost }: Naming): string {
  const last = names.lastFieldName(contentTypeId, name, after);
  return lost.get(last) ?? names.fieldNamed(contentTypeId, last)?.id ?? name;
}

const pick = (row: ItemRow, ...columns: string[]): Properties =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

/** A link names a type; types are known by id. */
function linkById(value: unknown, naming: Naming): unknown {
  if (Array.isArray(value)) return value.map((item) => linkById(item, naming));
  if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
  const { _type: type } = value;
  return typeof type === 'string' ? { ...value, _type: naming.names.typeId(type, naming.after) } : value;
}

/** Values of an entry or block to read, and where they go. */
interface ReadValues {
  readonly contentTypeId: string;
  readonly values: unknown;
  /** Null for the entry. */
  readonly blockId: string | null;
  readonly found: Record<string, unknown>;
}

/** The items of a list, its blocks without their values, which become properties. */
function readItems(items: readonly unknown[], found: ReadValues['found'], naming: Naming): unknown[] {
  return items.map((item) => {
    if (!isOwnBlock(item)) return linkById(item, naming);
    const contentTypeId = naming.names.typeId(item._type, naming.after);
    readValues({ contentTypeId, values: item.fields, blockId: item._ref, found }, naming);
    return { ...item, _type: contentTypeId, fields: {} };
  });
}

function readOverlay(value: unknown, found: ReadValues['found'], naming: Naming): void {
  for (const [blockId, values] of overlayIn(value)) {
    const contentTypeId = naming.blockTypes.get(blockId);
    // Values of removed blocks remain stored until their locale is written.
    if (contentTypeId !== undefined) readValues({ contentTypeId, values, blockId, found }, naming);
  }
}

function readValues({ contentTypeId, values, blockId, found }: ReadValues, naming: Naming): void {
  for (const [name, value] of Object.entries((values ?? {}) as ItemRow)) {
    const field = naming.names.fieldNamed(contentTypeId, name, naming.after);
    if (field === undefined) continue;
    const key = blockKey(blockId, field.id);
    if (!isLink(field)) found[key] = value;
    else if (!kindOf(field).takesBlocks) found[key] = linkById(value, naming);
    else if (Array.isArray(value)) found[key] = readItems(value, found, naming);
    else readOverlay(value, found, naming);
  }
}

/**
 * Values by id of the field, those of blocks as {@link blockKey} says; those of fields that the environment no longer
 * has are left out.
 */
function valuesById(contentTypeId: string, values: unknown, naming: Naming): Properties {
  const found: Record<string, unknown> = {};
  readValues({ contentTypeId, values, blockId: null, found }, naming);
  return found;
}

function typeProperties(row: ItemRow, naming: Naming): Properties {
  const { display_field: display } = row;
  const columns = ['api_name', 'name', 'description', 'is_page', 'is_block', 'is_singleton', 'is_localized'];
  return {
    ...pick(row, ...columns, 'workflow_slug', 'slug_pattern', 'preview_path'),
    // Rows that were kept by an earlier release lack it.
    field_fallback: row.field_fallback ?? false,
    display_field: typeof display === 'string' ? fieldId(String(row.id), display, naming) : null,
  };
}

function fieldProperties(row: ItemRow, naming: Naming): Properties {
  const { names, after } = naming;
  const typeId = String(row.content_type_id);
  const byId = (name: string): string => fieldId(typeId, name, naming);
  const { contentTypes, ...settings } = mapNamedFields((row.settings ?? {}) as ItemRow, byId);
  const flags = ['required', 'localized', 'unique', 'is_list', 'hidden', 'deprecated'];
  return {
    ...pick(row, 'api_name', 'name', 'type', 'description', ...flags, 'position', 'group'),
    validations: mapNamedFields((row.validations ?? {}) as ItemRow, byId),
    default_value: isLink(row as { type: string }) ? linkById(row.default_value, naming) : row.default_value,
    settings: {
      ...settings,
      ...(Array.isArray(contentTypes) && {
        contentTypes: contentTypes.map((name) => names.typeId(String(name), after)),
      }),
    },
  };
}

const readers: Readonly<Record<ItemKind, (row: ItemRow, part: string, naming: Naming) => Properties>> = {
  customFieldType: (row) =>
    pick(
      row,
      ...[
        'api_name',
        'name',
        'description',
        'json_schema',
        'graphql_type_name',
        'default_value',
        'editor',
        'index_as',
      ],
    ),
  workflow: (row) =>
    pick(
      row,
      ...[
        'slug',
        'name',
        'is_default',
        'content_type_ids',
        'site_ids',
        'enforcement',
        'per_locale',
        'base_state',
      ],
      ...['states', 'transitions', 'role_ids'],
    ),
  contentType: (row, part, naming) =>
    part === ROOT ? typeProperties(row, naming) : fieldProperties(row, naming),
  entry: (row, part, naming) =>
    part === ROOT
      ? {
          ...pick(row, 'content_type_id', 'site_id', 'external_id'),
          ...valuesById(String(row.content_type_id), row.shared_fields, naming),
        }
      : { ...pick(row, 'slug'), ...valuesById(String(row.content_type_id), row.fields, naming) },
  mediaFolder: (row) => pick(row, 'parent_id', 'name'),
  media: (row, part) =>
    part === ROOT
      ? pick(
          row,
          ...[
            'storage_key',
            'file_name',
            'folder_id',
            'tags',
            'site_ids',
            'visibility',
            'focal_point_x',
            'focal_point_y',
          ],
        )
      : pick(row, 'alt_text', 'title', 'description', 'override_storage_key', 'override_asset_id'),
  treeNode: (row) =>
    pick(row, 'site_id', 'parent_id', 'entry_id', 'type', 'name', 'slug', 'url', 'rank', 'hide_in_menu'),
  redirect: (row) =>
    pick(
      row,
      'site_id',
      'source',
      'target',
      'status',
      'match_type',
      'query_match',
      'locale',
      'is_active',
      'origin',
      'note',
    ),
};

/** Of a deleted entry; a locale that is not read is one all the same, while its entry exists. */
const isPresent = (row: ItemRow): boolean => (row.deleted_at ?? null) === null;

interface PartNaming extends Pick<Naming, 'blockTypes'> {
  readonly names: Vocabulary;
  readonly lost?: Naming['lost'];
}

/** Undefined: the part did not exist. */
function propertiesOf(
  { kind, part, row, renameNumber }: StoredPart<ItemRow | null>,
  { names, lost, blockTypes }: PartNaming,
): Properties | undefined {
  if (row === null || !isPresent(row)) return undefined;
  return readers[kind](row, part, {
    names,
    after: lost === undefined ? Infinity : renameNumber,
    lost: lost ?? none,
    blockTypes,
  });
}

/** Deleted fields among the former parts of a content type. */
function lostFields(former: readonly StoredPart<ItemRow | null>[], names: Vocabulary): Map<string, string> {
  const fields = former.flatMap(({ kind, part, row, renameNumber }) => {
    if (kind !== 'contentType' || part === ROOT || row === null || names.field(part) !== undefined) return [];
    return [
      [names.lastFieldName(String(row.content_type_id), String(row.api_name), renameNumber), part] as const,
    ];
  });
  return new Map(fields);
}

/** The item itself first: it has the types of the blocks of which other parts have values. */
const rootFirst = <T extends { readonly part: string }>(parts: readonly T[]): T[] => [
  ...parts.filter(({ part }) => part === ROOT),
  ...parts.filter(({ part }) => part !== ROOT),
];

function replaceParts(
  parts: Map<string, Properties>,
  stored: readonly StoredPart<ItemRow | null>[],
  naming: Omit<PartNaming, 'blockTypes'>,
): Parts {
  for (const one of rootFirst(stored)) {
    const blockTypes = one.part === ROOT ? none : typesOfBlocks(parts.get(ROOT) ?? {});
    const properties = propertiesOf(one, { ...naming, blockTypes });
    if (properties === undefined) parts.delete(one.part);
    else parts.set(one.part, properties);
  }
  if (!parts.has(ROOT)) parts.clear();
  return parts;
}

export const partsOf = (stored: readonly StoredPart[], names: Vocabulary): Parts =>
  replaceParts(new Map(), stored, { names });

/** The current parts, with the changed ones as they were. */
export const formerParts = (
  current: Parts,
  former: readonly StoredPart<ItemRow | null>[],
  names: Vocabulary,
): Parts => replaceParts(new Map(current), former, { names, lost: lostFields(former, names) });
