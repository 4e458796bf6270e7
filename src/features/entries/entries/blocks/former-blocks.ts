import { isOwnBlock } from '../../../../content/model/own-block.js';
import { ownBlocksIn } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { LinkedBlocks } from './linked-blocks.js';
import { OwnedBlockRepository, type OwnedBlock } from './owned-block.repository.js';
import { mapItems, type LocaleValues } from './replace-items.js';

interface Former {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly entryId: string;
  readonly version: number;
}

/**
 * Blocks of former values, which keep their ids. One that was shared since is linked; one that moved to another entry
 * with a shared block gets a new id, the same in every locale. One that was an entry then is part of the entry.
 */
export class FormerBlocks {
  readonly #foreign = new Map<string, { readonly isEntry: boolean }>();
  readonly #made = new Map<string, OwnedBlock>();

  private constructor(
    private readonly work: UnitOfWork,
    private readonly former: Former,
    private readonly linked: LinkedBlocks,
  ) {}

  /** @param values of every locale */
  static async of(work: UnitOfWork, former: Former, values: readonly LocaleValues[]): Promise<FormerBlocks> {
    const { catalog, type, entryId } = former;
    const own = values.map((one) => one.values);
    const linked = await LinkedBlocks.of(work, { ...former, values: own });
    const blocks = new FormerBlocks(work, former, linked);
    const ids = own.flatMap((one) => [...ownBlocksIn(catalog, type, one).keys()]);
    const inside = linked.all.flatMap(({ _ref, _type, fields }) => {
      const inner = catalog.contentType(_type);
      return [_ref, ...(inner === undefined ? [] : ownBlocksIn(catalog, inner, fields).keys())];
    });
    const foreign = await work.use(OwnedBlockRepository).foreign([...new Set([...ids, ...inside])], entryId);
    for (const { id, isEntry } of foreign) blocks.#foreign.set(id, { isEntry });
    return blocks;
  }

  placed({ locale, values }: LocaleValues): FieldValues {
    const { catalog, type } = this.former;
    return mapItems(catalog, { type, values }, (given) => {
      const item = this.linked.blockOf(given, locale) ?? given;
      const foreign = isOwnBlock(item) ? this.#foreign.get(item._ref) : undefined;
      if (!isOwnBlock(item) || foreign === undefined) return item;
      const { _ref, _type } = item;
      return foreign.isEntry ? { _ref, _type } : { ...item, _ref: this.#idOf(_ref, _type) };
    });
  }

  /** Notes the new ids. Does not wait. */
  note(): void {
    this.work.use(OwnedBlockRepository).note([...this.#made.values()]);
  }

  #idOf(former: string, typeName: string): string {
    const { catalog, entryId } = this.former;
    const contentTypeId = catalog.contentType(typeName)?.id ?? '';
    const block = this.#made.get(former) ?? { id: this.work.newId(), entryId, contentTypeId };
    this.#made.set(former, block);
    return block.id;
  }
}
