import { kindOf } from '../field-kinds/index.js';
import { valueIn, isGroup, type FieldDefinition, type FieldValues } from '../model/field-definition.js';
import { isOwnBlock, type OwnBlock } from '../model/own-block.js';

/** What is needed of a content type to find the blocks in its values. */
export interface BlockType {
  readonly id: string;
  readonly apiName: string;
  readonly fields: readonly FieldDefinition[];
}

/** The content types of an environment; a catalog is one. */
export interface BlockTypes<T extends BlockType = BlockType> {
  contentType(apiName: string): T | undefined;
}

type Path = readonly (string | number)[];

const blockFields = new WeakMap<readonly FieldDefinition[], readonly FieldDefinition[]>();

/** The fields whose items are blocks, cached as `linkFieldsOf`. */
export function blockFieldsOf({
  fields,
}: {
  readonly fields: readonly FieldDefinition[];
}): readonly FieldDefinition[] {
  const known = blockFields.get(fields);
  if (known !== undefined) return known;
  const found = fields.filter((field) => kindOf(field).takesBlocks);
  blockFields.set(fields, found);
  return found;
}

export function blockItems(values: FieldValues, { apiName }: FieldDefinition): readonly unknown[] {
  const items = valueIn(values, apiName);
  return Array.isArray(items) ? items : [];
}

/** The values of an entry, or of one of its blocks. */
export interface ValuePart<T extends BlockType = BlockType> {
  readonly type: T;
  readonly values: FieldValues;
  /** From the values of the entry: `fields`, field and id of the block for each level; empty for the entry itself. */
  readonly path: Path;
  /** As it is shown in texts: `sections[<id>].`; empty for the entry itself. */
  readonly name: string;
  /** Null for the entry itself. */
  readonly block: OwnBlock | null;
  /** Whether the list that holds the block, or one above it, is localized. */
  readonly isLocalized: boolean;
  /** `apiName` of the entry's field that holds the block; null for the entry itself. */
  readonly root: string | null;
}

/** The entry first, then its blocks, each before those that it holds. Blocks of unknown types are left out. */
export function valueParts<T extends BlockType>(
  types: BlockTypes<T>,
  type: T,
  values: FieldValues,
): ValuePart<T>[] {
  const entry = { type, values, path: [], name: '', block: null, isLocalized: false, root: null };
  const parts: ValuePart<T>[] = [entry];
  // Blocks are appended while the list is walked.
  for (const part of parts) {
    for (const field of blockFieldsOf(part.type))
      for (const item of blockItems(part.values, field)) {
        const own = isOwnBlock(item) ? types.contentType(item._type) : undefined;
        if (own === undefined || !isOwnBlock(item)) continue;
        parts.push({
          type: own,
          values: item.fields,
          path: [...part.path, 'fields', field.apiName, item._ref],
          name: `${part.name}${field.apiName}[${item._ref}].`,
          block: item,
          isLocalized: part.isLocalized || field.localized,
          root: part.root ?? field.apiName,
        });
      }
  }
  return parts;
}

/** Every block in the values, on any level. */
export function ownBlocksIn(
  types: BlockTypes,
  type: BlockType,
  values: FieldValues,
): ReadonlyMap<string, OwnBlock> {
  const parts = blockFieldsOf(type).length === 0 ? [] : valueParts(types, type, values);
  return new Map(parts.flatMap(({ block }) => (block === null ? [] : [[block._ref, block] as const])));
}

/** The values of an entry or of one of its blocks, which is absent for the entry. */
interface MappedPart<T extends BlockType> {
  readonly type: T;
  readonly values: FieldValues;
  readonly block?: OwnBlock;
}

/** Replaces the values of the entry and of every block, from the outside in. */
export function mapParts<T extends BlockType>(
  types: BlockTypes<T>,
  part: MappedPart<T>,
  map: (part: MappedPart<T>) => FieldValues,
): FieldValues {
  const mapped: Record<string, unknown> = { ...map(part) };
  for (const field of blockFieldsOf(part.type)) {
    const items = blockItems(mapped, field);
    const next = items.map((item) => {
      const type = isOwnBlock(item) ? types.contentType(item._type) : undefined;
      if (type === undefined || !isOwnBlock(item)) return item;
      return { ...item, fields: mapParts(types, { type, values: item.fields, block: item }, map) };
    });
    if (items.length > 0) mapped[field.apiName] = next;
  }
  return mapped;
}

/** Without values of unknown fields and blocks of unknown types. */
export const knownValues = <T extends BlockType>(
  types: BlockTypes<T>,
  type: T,
  values: FieldValues,
): FieldValues =>
  mapParts(types, { type, values }, (part) => {
    const known = part.type.fields.filter(({ apiName }) => Object.hasOwn(part.values, apiName));
    const kept: Record<string, unknown> = Object.fromEntries(
      known.map(({ apiName }) => [apiName, part.values[apiName]]),
    );
    for (const field of blockFieldsOf(part.type))
      if (Array.isArray(kept[field.apiName]))
        kept[field.apiName] = blockItems(kept, field).filter(
          (item) => !isOwnBlock(item) || types.contentType(item._type) !== undefined,
        );
    return kept;
  });

/** Values as clients see them: a group is one object or null, in blocks too (rule content/groups). */
export function withGroups(types: BlockTypes, type: BlockType, values: FieldValues): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...values };
  for (const field of blockFieldsOf(type)) {
    if (!Array.isArray(valueIn(values, field.apiName))) continue;
    const items = blockItems(values, field).map((item) => {
      const own = isOwnBlock(item) ? types.contentType(item._type) : undefined;
      if (own === undefined || !isOwnBlock(item)) return item;
      return { ...item, fields: withGroups(types, own, item.fields) };
    });
    shown[field.apiName] = isGroup(field) ? (items[0] ?? null) : items;
  }
  return shown;
}

/** Values as they are stored: the reverse of {@link withGroups}. What is of another kind than its field stays. */
export function withoutGroups(types: BlockTypes, type: BlockType, values: FieldValues): FieldValues {
  const stored: Record<string, unknown> = { ...values };
  for (const field of blockFieldsOf(type)) {
    const value = valueIn(values, field.apiName);
    const isOne = isGroup(field) && (isOwnBlock(value) || value === null);
    if (!isOne && !Array.isArray(value)) continue;
    const items: readonly unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
    stored[field.apiName] = items.map((item) => {
      const own = isOwnBlock(item) ? types.contentType(item._type) : undefined;
      if (own === undefined || !isOwnBlock(item)) return item;
      return { ...item, fields: withoutGroups(types, own, item.fields) };
    });
  }
  return stored;
}
