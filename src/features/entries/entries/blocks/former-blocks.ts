import { isObject } from '../../../../content/exact-json/is-object.js';
import { isOwnBlock, type OwnBlock } from '../../../../content/model/own-block.js';
import { splitValues } from '../../../../content/blocks/stored-values.js';
import {
  blockFieldsOf,
  blockItems,
  ownBlocksIn,
  valueParts,
} from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { noValues } from '../anchored-values.js';
import { typeOf } from '../drafts/draft-state.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository, snapshotValues } from '../history.repository.js';
import { OwnedBlockRepository, type OwnedBlock } from './owned-block.repository.js';
import { mapItems, type LocaleValues } from './replace-items.js';

/** Ids of links in blocks fields, on every level. */
const linkedIn = (catalog: Catalog, type: ContentTypeDefinition, values: FieldValues): string[] =>
  valueParts(catalog, type, values).flatMap((part) =>
    blockFieldsOf(part.type)
      .flatMap((field) => blockItems(part.values, field))
      .flatMap((item) =>
        isObject(item) && !isOwnBlock(item) && typeof item._ref === 'string' ? [item._ref] : [],
      ),
  );

interface FormerValues {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  /** Of every locale. */
  readonly values: readonly FieldValues[];
  readonly version: number;
}

/** What blocks are now that a version links: before blocks had owners, all of them were entries. */
class LinkedBlocks {
  /** By id, then by locale. */
  readonly #found = new Map<string, Map<string, OwnBlock>>();

  private constructor(private readonly catalog: Catalog) {}

  /** Blocks of entries that the caller may read. Sends no statement for values without links to blocks. */
  static async of(work: UnitOfWork, former: FormerValues): Promise<LinkedBlocks> {
    const { catalog, type, values } = former;
    const linked = new LinkedBlocks(catalog);
    const ids = [...new Set(values.flatMap((one) => linkedIn(catalog, type, one)))];
    const owners = await work.use(OwnedBlockRepository).ownersOf(ids);
    const readable = await work.use(EntryRepository).readAll([...new Set(owners.values())], noValues);
    for (const owner of readable.values()) {
      const own = ids.filter((id) => owners.get(id) === owner.id);
      const versions = await work.use(HistoryRepository).versionsWith(owner.id, own, former.version);
      for (const version of new Set(versions.values())) {
        const snapshot = await work.use(HistoryRepository).snapshotAt(owner.id, version);
        for (const { locale } of snapshot?.locales ?? [])
          linked.#note(
            locale,
            ownBlocksIn(catalog, typeOf(catalog, owner), snapshot ? snapshotValues(snapshot, locale) : {}),
            own.filter((id) => versions.get(id) === version),
          );
      }
    }
    return linked;
  }

  #note(locale: string, blocks: ReadonlyMap<string, OwnBlock>, ids: readonly string[]): void {
    for (const id of ids) {
      const block = blocks.get(id);
      if (block === undefined) continue;
      const known = this.#found.get(id) ?? new Map<string, OwnBlock>();
      this.#found.set(id, known.set(locale, block));
    }
  }

  /** Values that contain the blocks, to find what these contain. */
  get all(): readonly OwnBlock[] {
    return [...this.#found.values()].flatMap((locales) => [...locales.values()]);
  }

  /** The block that an item links, with what it said in the locale; only what is the same in all where it said nothing. */
  blockOf(item: unknown, locale: string): OwnBlock | undefined {
    if (!isObject(item) || isOwnBlock(item) || typeof item._ref !== 'string') return undefined;
    const known = this.#found.get(item._ref);
    const block = known?.get(locale);
    if (block !== undefined) return block;
    const [other] = known?.values() ?? [];
    const type = other && this.catalog.contentType(other._type);
    return type && { ...other, fields: splitValues(this.catalog, type, other.fields).shared };
  }
}

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
