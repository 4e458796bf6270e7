import { isOwnBlock } from '../../../../content/model/own-block.js';
import { ownBlocksIn } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { OwnedBlockRepository, type OwnedBlock } from './owned-block.repository.js';
import { mapItems } from './replace-items.js';

/**
 * Blocks of former values, which keep their ids. One that was shared since is linked; one that moved to another entry
 * with a shared block gets a new id, the same in every locale.
 */
export class FormerBlocks {
  readonly #foreign = new Map<string, { readonly isEntry: boolean }>();
  readonly #made = new Map<string, OwnedBlock>();

  private constructor(
    private readonly work: UnitOfWork,
    private readonly catalog: Catalog,
    private readonly entryId: string,
  ) {}

  /** @param values of every locale. One statement */
  static async of(
    work: UnitOfWork,
    { catalog, type, entryId }: { catalog: Catalog; type: ContentTypeDefinition; entryId: string },
    values: readonly FieldValues[],
  ): Promise<FormerBlocks> {
    const former = new FormerBlocks(work, catalog, entryId);
    const ids = new Set(values.flatMap((one) => [...ownBlocksIn(catalog, type, one).keys()]));
    for (const { id, isEntry } of await work.use(OwnedBlockRepository).foreign([...ids], entryId))
      former.#foreign.set(id, { isEntry });
    return former;
  }

  placed(type: ContentTypeDefinition, values: FieldValues): FieldValues {
    if (this.#foreign.size === 0) return values;
    return mapItems(this.catalog, { type, values }, (item) => {
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
    const contentTypeId = this.catalog.contentType(typeName)?.id ?? '';
    const { entryId } = this;
    const block = this.#made.get(former) ?? { id: this.work.newId(), entryId, contentTypeId };
    this.#made.set(former, block);
    return block.id;
  }
}
