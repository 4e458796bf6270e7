import { AppError, invalidInput, type InputIssue } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { valueIn, isGroup } from '../../../../content/model/field-definition.js';
import { isObject } from '../../../../content/exact-json/is-object.js';
import { isOwnBlock, type OwnBlock } from '../../../../content/model/own-block.js';
import { blockFieldsOf, blockItems, ownBlocksIn } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../../content/catalog.js';
import { issuesMaximum, type FieldValues } from '../../../../content/validate-fields.js';
import { isUuid } from '../../../../infrastructure/ids.js';

type Path = InputIssue['path'];

/** What is needed to read the blocks of a request. */
export interface BlockSource {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  /** Values of the entry before the request, in its locale. */
  readonly known: FieldValues;
  newId(): string;
}

/** A block that a request writes. */
export interface GivenBlock {
  /** Of the item in the request. */
  readonly path: Path;
  readonly id: string;
  readonly type: ContentTypeDefinition;
  readonly externalId: string | undefined;
  /** The block before the request; undefined for a new one. */
  readonly known: OwnBlock | undefined;
  /** Whether the caller chose the id of a new block. */
  readonly isIdChosen: boolean;
  /** Items of blocks fields are links or, for blocks of the entry, have empty `fields`. */
  readonly fields: FieldValues;
}

/** `fields`, field and index. */
const STEPS_PER_LEVEL = 3;

const itemKeys = ['_ref', '_id', '_type', '_externalId', 'fields'];

type Item = Readonly<Record<string, unknown>>;

const isWritten = (item: unknown): item is Item => isObject(item) && Object.hasOwn(item, 'fields');

/** Whether some value may have blocks; its type decides. */
export const mayHaveBlocks = (fields: FieldValues): boolean =>
  Object.values(fields).some((items) => isObject(items) || (Array.isArray(items) && items.some(isObject)));

/** The block that a group writes: the one that it has, unless the request names another. */
function groupItem(item: unknown, { settings }: FieldDefinition, before: unknown): unknown {
  if (!isWritten(item) || item._ref !== undefined) return item;
  const [_type] = (settings as { contentTypes?: readonly string[] }).contentTypes ?? [];
  const isSame = item._id === undefined && item._externalId === undefined && isOwnBlock(before);
  return { _type, ...item, ...(isSame && { _ref: before._ref }) };
}

/** The types that a field takes; blocks fields without a list take every block type. */
function isTaken({ settings }: FieldDefinition, type: ContentTypeDefinition): boolean {
  const { contentTypes } = settings as { contentTypes?: readonly string[] };
  return contentTypes === undefined ? type.isBlock : contentTypes.includes(type.apiName);
}

/** Reads the blocks of one request (rule entries/own-blocks). */
export class BlockReader {
  /** Containing ones first. */
  readonly blocks: GivenBlock[] = [];
  readonly #issues: InputIssue[] = [];
  readonly #seen = new Set<string>();
  readonly #known: ReadonlyMap<string, OwnBlock>;
  readonly #byExternalId: ReadonlyMap<string, OwnBlock>;

  constructor(private readonly source: BlockSource) {
    this.#known = ownBlocksIn(source.catalog, source.type, source.known);
    this.#byExternalId = new Map(
      [...this.#known.values()].flatMap((block) =>
        block._externalId === undefined ? [] : [[block._externalId, block] as const],
      ),
    );
  }

  /**
   * Values with items of one form, groups as lists; the blocks that they write are collected.
   * @param block the block that has the values; the entry by default
   */
  read(
    type: ContentTypeDefinition,
    values: FieldValues,
    block?: Pick<GivenBlock, 'path' | 'known'>,
  ): FieldValues {
    const read: Record<string, unknown> = { ...values };
    const { path = [], known } = block ?? { known: { fields: this.source.known } };
    for (const field of blockFieldsOf(type)) {
      const { apiName } = field;
      const value = valueIn(values, apiName);
      const isOne = isGroup(field) && isObject(value);
      const items: unknown = isOne ? [value] : value;
      if (!Array.isArray(items)) continue;
      const [before] = isGroup(field) ? blockItems(known?.fields ?? {}, field) : [];
      read[apiName] = items.map((item: unknown, index) =>
        this.#readItem(field, isGroup(field) ? groupItem(item, field, before) : item, [
          ...path,
          'fields',
          apiName,
          index,
        ]),
      );
    }
    return read;
  }

  /** @throws AppError 422 `validation_failed` with every issue */
  assertValid(): void {
    if (this.#issues.length > 0) throw invalidInput(...this.#issues.slice(0, issuesMaximum));
  }

  #readItem(field: FieldDefinition, item: unknown, path: Path): unknown {
    if (isWritten(item)) return this.#readWritten(field, item, path) ?? { _ref: null };
    const ref = isObject(item) ? item._ref : undefined;
    const kept = typeof ref === 'string' ? this.#known.get(ref.toLowerCase()) : undefined;
    if (kept === undefined || !isObject(item)) return item;
    this.#isFirst(kept._ref, [...path, '_ref']);
    this.#typeOf(field, { ...item, _type: item._type ?? kept._type }, { known: kept, path });
    return kept;
  }

  /** The item that stands for the block; undefined if it is refused. */
  #readWritten(field: FieldDefinition, item: Item, path: Path): OwnBlock | undefined {
    if (!this.#checkKeys(item, path)) return undefined;
    const known = this.#knownOf(item);
    if (known === undefined && typeof item._ref === 'string') {
      const message = 'The entry has no block with this ID. A link to a shared block has no fields.';
      this.#refuse([...path, '_ref'], 'unknown_block', message);
      return undefined;
    }
    const type = this.#typeOf(field, item, { known, path });
    const chosen = typeof item._id === 'string' ? item._id : undefined;
    const id = known?._ref ?? chosen ?? this.source.newId();
    const key = chosen === undefined ? '_ref' : '_id';
    if (type === undefined || !this.#isFirst(id, [...path, key]) || !isObject(item.fields)) return undefined;
    const { ownBlocks: limit } = limits;
    if (this.blocks.length >= limit) throw new AppError('limit_reached', { limit, path });
    const externalId = typeof item._externalId === 'string' ? item._externalId : known?._externalId;
    const isIdChosen = known === undefined && chosen !== undefined;
    const block = { path, id, type, externalId, known, isIdChosen };
    const index = this.blocks.push({ ...block, fields: item.fields }) - 1;
    this.blocks[index] = { ...block, fields: this.read(type, item.fields, block) };
    return { _ref: id, _type: type.apiName, fields: {} };
  }

  #refuse(path: Path, code: string, message: string): false {
    this.#issues.push({ path, code, message });
    return false;
  }

  #checkKeys(item: Item, path: Path): boolean {
    const { _ref: ref, _id: id, _type: type, _externalId: externalId, fields } = item;
    const unknown = Object.keys(item).find((key) => !itemKeys.includes(key));
    if (unknown !== undefined)
      return this.#refuse(
        [...path, unknown],
        'unknown_key',
        `A block has only the keys ${itemKeys.join(', ')}.`,
      );
    if (!isObject(fields))
      return this.#refuse([...path, 'fields'], 'invalid_type', 'The value must be an object.');
    if (ref !== undefined && id !== undefined)
      return this.#refuse([...path, '_id'], 'unknown_key', 'A block has either _ref or _id.');
    for (const [key, value] of Object.entries({ _ref: ref, _id: id }))
      if (
        value !== undefined &&
        !(typeof value === 'string' && value === value.toLowerCase() && isUuid(value))
      )
        return this.#refuse([...path, key], 'invalid_format', 'The ID of a block must be a lowercase UUID.');
    if (externalId !== undefined && !isExternalId(externalId))
      return this.#refuse([...path, '_externalId'], 'invalid_type', 'The external ID must be a short text.');
    if (type !== undefined && typeof type !== 'string')
      return this.#refuse([...path, '_type'], 'invalid_type', '_type must be the apiName of a content type.');
    if (path.length / STEPS_PER_LEVEL <= limits.ownBlockDepth) return true;
    const message = `Blocks may be nested ${String(limits.ownBlockDepth)} deep.`;
    return this.#refuse(path, 'too_deep', message);
  }

  /** The block of the entry that an item names by id or external id. */
  #knownOf({ _ref: ref, _id: id, _externalId: externalId }: Item): OwnBlock | undefined {
    const named = ref ?? id;
    if (typeof named === 'string') return this.#known.get(named);
    return typeof externalId === 'string' ? this.#byExternalId.get(externalId) : undefined;
  }

  #typeOf(
    field: FieldDefinition,
    { _type: named }: Item,
    { known, path }: { known: OwnBlock | undefined; path: Path },
  ): ContentTypeDefinition | undefined {
    if (known === undefined && named === undefined) {
      this.#refuse([...path, '_type'], 'required', 'A new block needs _type.');
      return undefined;
    }
    if (known !== undefined && named !== undefined && named !== known._type) {
      this.#refuse([...path, '_type'], 'wrong_type', `The block is of type ${known._type}.`);
      return undefined;
    }
    const type = this.source.catalog.contentType(known?._type ?? String(named));
    if (type !== undefined && isTaken(field, type)) return type;
    const message = 'The field does not allow entries of this content type.';
    this.#refuse([...path, '_type'], 'type_not_allowed', message);
    return undefined;
  }

  #isFirst(id: string, path: Path): boolean {
    if (this.#seen.has(id)) return this.#refuse(path, 'repeated_block', 'An entry has a block only once.');
    this.#seen.add(id);
    return true;
  }
}

const isExternalId = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= limits.externalIdLength;
