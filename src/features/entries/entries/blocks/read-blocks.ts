import { AppError, invalidInput, type InputIssue } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../../content/catalog.js';
import { issuesMaximum, type FieldValues } from '../../../../content/validate-fields.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import type { LinkTarget } from '../link.repository.js';
import {
  blockFieldsOf,
  isNestedItem,
  isValues,
  type NestedBlock,
  type NestedItem,
  type Path,
} from './nested-block.js';

/** What is needed to read nested blocks without the database. */
export interface BlockSource {
  readonly catalog: Catalog;
  /** Existing blocks that the input names, as far as the caller may read them. */
  readonly targets: ReadonlyMap<string, LinkTarget>;
  /** The entry that contains them. */
  readonly rootId: string;
  newId(): string;
}

/** `fields`, field and index. */
const STEPS_PER_LEVEL = 3;

const itemKeys = ['_ref', '_type', 'version', 'fields'];

const isId = (value: unknown): boolean =>
  typeof value === 'string' && value === value.toLowerCase() && isUuid(value);

const isVersion = (value: unknown): value is number =>
  value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value > 0);

/** The types that a field takes; blocks fields without a list take every block type. */
function isTaken({ settings }: FieldDefinition, type: ContentTypeDefinition): boolean {
  const { contentTypes } = settings as { contentTypes?: readonly string[] };
  return contentTypes === undefined ? type.isBlock : contentTypes.includes(type.apiName);
}

/** Reads the nested blocks of one request. */
export class BlockReader {
  readonly blocks: NestedBlock[] = [];
  readonly #issues: InputIssue[] = [];
  readonly #seen: Set<string>;

  constructor(private readonly source: BlockSource) {
    this.#seen = new Set([source.rootId]);
  }

  /**
   * Values with links in place of nested blocks, which are collected: containing ones first.
   * @param path of the entry or block that has the values
   */
  read(type: ContentTypeDefinition, values: FieldValues, path: Path = []): FieldValues {
    const read: Record<string, unknown> = { ...values };
    for (const field of blockFieldsOf(type)) {
      const { apiName } = field;
      const items = Object.hasOwn(values, apiName) ? values[apiName] : undefined;
      if (!Array.isArray(items) || !items.some(isNestedItem)) continue;
      read[apiName] = items.map((item: unknown, index) =>
        isNestedItem(item) ? this.#readItem(field, item, [...path, 'fields', apiName, index]) : item,
      );
    }
    return read;
  }

  /** @throws AppError 422 `validation_failed` with every issue */
  assertValid(): void {
    if (this.#issues.length > 0) throw invalidInput(...this.#issues.slice(0, issuesMaximum));
  }

  /** The link to the block. */
  #readItem(field: FieldDefinition, item: NestedItem, path: Path): unknown {
    const { _ref: ref, _type: named, version, fields } = item;
    const isReadable = this.#checkKeys(item, path) && this.#isFirst(ref, path);
    const type = isReadable ? this.#typeOf(field, item, path) : undefined;
    if (type === undefined || !isValues(fields))
      return { _ref: ref, ...(named !== undefined && { _type: named }) };
    const isNew = ref === undefined;
    const id = isNew ? this.source.newId() : (ref as string);
    const { nestedBlocks: limit } = limits;
    if (this.blocks.length >= limit) throw new AppError('limit_reached', { limit, path });
    const block = { path, id, isNew, version: version as number | undefined, type };
    const index = this.blocks.push({ ...block, fields }) - 1;
    this.blocks[index] = { ...block, fields: this.read(type, fields, path) };
    return { _ref: id, _type: typeof named === 'string' ? named : type.apiName };
  }

  #refuse(path: Path, code: string, message: string): false {
    this.#issues.push({ path, code, message });
    return false;
  }

  #checkKeys(item: NestedItem, path: Path): boolean {
    const { _ref: ref, _type: type, version, fields } = item;
    const unknown = Object.keys(item).find((key) => !itemKeys.includes(key));
    if (unknown !== undefined) {
      const message = 'A nested block has only the keys _ref, _type, version and fields.';
      return this.#refuse([...path, unknown], 'unknown_key', message);
    }
    if (!isValues(fields))
      return this.#refuse([...path, 'fields'], 'invalid_type', 'The value must be an object.');
    if (ref === undefined && typeof type !== 'string')
      return this.#refuse([...path, '_type'], 'required', 'A new block needs _type, an existing one _ref.');
    if (ref !== undefined && !isId(ref))
      return this.#refuse(
        [...path, '_ref'],
        'invalid_format',
        'The ID of an entry must be a lowercase UUID.',
      );
    if (type !== undefined && typeof type !== 'string')
      return this.#refuse([...path, '_type'], 'invalid_type', '_type must be the apiName of a content type.');
    if (!isVersion(version) || (ref === undefined && version !== undefined))
      return this.#refuse(
        [...path, 'version'],
        'invalid_type',
        'The version must be that of an existing block.',
      );
    if (path.length / STEPS_PER_LEVEL <= limits.nestedBlockDepth) return true;
    const message = `Blocks may be nested ${String(limits.nestedBlockDepth)} deep.`;
    return this.#refuse(path, 'too_deep', message);
  }

  #typeOf(
    field: FieldDefinition,
    { _ref: ref, _type: named }: NestedItem,
    path: Path,
  ): ContentTypeDefinition | undefined {
    const type =
      ref === undefined
        ? this.source.catalog.contentType(String(named))
        : this.#typeOfExisting(ref as string, path);
    if (type !== undefined && named !== undefined && named !== type.apiName) {
      this.#refuse([...path, '_type'], 'wrong_type', `The block is of type ${type.apiName}.`);
      return undefined;
    }
    if (type === undefined || !isTaken(field, type)) {
      this.#refuse(
        [...path, '_type'],
        'type_not_allowed',
        'The field does not allow entries of this content type.',
      );
      return undefined;
    }
    return type;
  }

  /** @throws AppError 404 `entry_not_found` */
  #typeOfExisting(ref: string, path: Path): ContentTypeDefinition | undefined {
    const target = this.source.targets.get(ref);
    if (target === undefined) throw new AppError('entry_not_found', { path: [...path, '_ref'] });
    return this.source.catalog.contentTypeById(target.contentTypeId);
  }

  #isFirst(ref: unknown, path: Path): boolean {
    if (typeof ref !== 'string') return true;
    if (this.#seen.has(ref))
      return this.#refuse([...path, '_ref'], 'repeated_block', 'A request can change an entry only once.');
    this.#seen.add(ref);
    return true;
  }
}
