import { AppError } from '../../../../contracts/errors.js';
import { isOwnBlock, type OwnBlock } from '../../../content/model/own-block.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { ROOT, type Properties } from '../../../content/three-way.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { linkByName, type MergedNames } from './apply-content-types.js';
import { placesOfBlocks, readKey, typesOfBlocks, valuesOfBlocks, type KeyedValues } from './block-parts.js';
import type { PairNames } from './compare-items.js';
import type { PlannedItem } from './promotion-plan.js';
import { isLink } from './vocabulary.repository.js';

/** What names the values of entries in the target. */
export interface EntryContext {
  readonly catalog: Catalog;
  readonly names: MergedNames;
  readonly pair: PairNames;
}

/** Fields whose values are stored together: shared ones, localized ones, or all of a block in a localized list. */
type Stored = 'shared' | 'localized' | 'all';

const isStored = (stored: Stored, { localized }: FieldDefinition): boolean =>
  stored === 'all' || localized === (stored === 'localized');

/** The values of one part of an entry, under the names of the target. */
class PartValues {
  readonly #blocks: ReadonlyMap<string, KeyedValues>;
  readonly #written = new Set<string>();

  constructor(
    private readonly item: PlannedItem,
    private readonly part: string,
    private readonly context: EntryContext,
  ) {
    this.#blocks = valuesOfBlocks(this.#properties);
  }

  read(type: ContentTypeDefinition): FieldValues {
    const own = Object.entries(this.#properties).filter(([key]) => readKey(key)?.blockId === null);
    if (this.part === ROOT) return this.#named(type, own, 'shared');
    const named = this.#named(type, own, 'localized');
    return { ...this.#overlays(type), ...named };
  }

  get #properties(): Properties {
    return this.item.merged.get(this.part) ?? {};
  }

  /** Of fields that are in the target what they are in the source. */
  #named(type: ContentTypeDefinition, values: KeyedValues, stored: Stored): FieldValues {
    const { kind, id: itemId, taken } = this.item;
    const isTaken = (key: string): boolean =>
      taken.some((one) => one.part === this.part && (one.key === null || one.key === key));
    const found = values.flatMap(([key, value]) => {
      const fieldId = readKey(key)?.fieldId ?? key;
      const field = type.fields.find(({ id }) => id === fieldId);
      const source = this.context.pair.source.field(fieldId);
      const isSame =
        field !== undefined &&
        source?.type === field.type &&
        source.isList === field.isList &&
        isStored(stored, field);
      if (!isSame && isTaken(key))
        throw new AppError('promotion_type_differs', { kind, id: itemId, fieldId });
      return field === undefined ? [] : [[field.apiName, this.#value(field, value)] as const];
    });
    return Object.fromEntries(found);
  }

  #value(field: FieldDefinition, value: unknown): unknown {
    const { names } = this.context;
    if (!isLink(field)) return value;
    if (!Array.isArray(value)) return linkByName(value, names);
    return value.flatMap((item: unknown) =>
      isOwnBlock(item) ? this.#block(item) : [linkByName(item, names)],
    );
  }

  /** Once: where each side moved the block to another list, the first has it. */
  #block({ _ref: id, _type: typeId, ...rest }: OwnBlock): OwnBlock[] {
    const type = this.context.catalog.contentTypeById(typeId);
    if (type === undefined || this.#written.has(id)) return [];
    this.#written.add(id);
    const stored = this.part === ROOT ? 'shared' : 'all';
    const fields = this.#named(type, this.#blocks.get(id) ?? [], stored);
    return [{ ...rest, _ref: id, _type: type.apiName, fields }];
  }

  /** Localized values of blocks in shared lists, by the field of the entry that contains the block. */
  #overlays(type: ContentTypeDefinition): FieldValues {
    const types = typesOfBlocks(this.item.merged.get(ROOT) ?? {});
    const places = placesOfBlocks(this.item.merged, ROOT);
    const overlays: Record<string, Record<string, FieldValues>> = {};
    for (const [id, values] of this.#blocks) {
      const own = this.context.catalog.contentTypeById(types.get(id) ?? '');
      let place = places.get(id);
      for (let steps = places.size; typeof place?.blockId === 'string' && steps > 0; steps -= 1)
        place = places.get(place.blockId);
      const name = type.fields.find((field) => field.id === place?.fieldId)?.apiName;
      if (own === undefined || name === undefined) continue;
      overlays[name] = { ...overlays[name], [id]: this.#named(own, values, 'localized') };
    }
    return overlays;
  }
}

/**
 * The values that a part of an entry will have in the target.
 * @throws AppError 409 `promotion_type_differs`
 */
export const valuesOfPart = (
  item: PlannedItem,
  { type, part }: { readonly type: ContentTypeDefinition; readonly part: string },
  context: EntryContext,
): FieldValues => new PartValues(item, part, context).read(type);
