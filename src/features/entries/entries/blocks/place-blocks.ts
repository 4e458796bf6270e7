import { invalidInput, AppError, type InputIssue } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { isObject } from '../../../../content/exact-json/is-object.js';
import { isOwnBlock, type OwnBlock } from '../../../../content/model/own-block.js';
import { blockFieldsOf, blockItems, valueParts } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { linkTargets, mergeValues, withTargets } from '../drafts/draft-values.js';
import type { LinkTarget } from '../link.repository.js';
import { OwnedBlockRepository } from './owned-block.repository.js';
import type { GivenBlock } from './read-blocks.js';
import type { ReadFields } from './read-input.js';

/** A block that is written, with the entry that holds it. */
interface HeldBlock {
  readonly entryId: string;
  readonly block: GivenBlock;
}

const rowOf = ({ entryId, block: { id, type } }: HeldBlock) => ({ id, entryId, contentTypeId: type.id });

/**
 * Notes new blocks of entries that are written, after the rows of these. Waits only for ids that callers chose.
 * @throws AppError 422 `validation_failed` for an id that another entry or block has
 */
export async function claimBlocks(work: UnitOfWork, held: readonly HeldBlock[]): Promise<void> {
  const made = held.filter(({ block }) => block.known === undefined);
  if (made.length === 0) return;
  const owned = work.use(OwnedBlockRepository);
  const chosen = made.filter(({ block }) => block.isIdChosen);
  owned.note(made.filter(({ block }) => !block.isIdChosen).map(rowOf));
  const taken = await owned.claim(chosen.map(rowOf));
  const refused = chosen.filter(({ block }) => taken.has(block.id));
  if (refused.length > 0) throw invalidInput(...refused.map(({ block }) => issueOf(block)));
}

const issueOf = ({ path }: GivenBlock) => ({
  path: [...path, '_id'],
  code: 'block_id_taken',
  message: 'Another entry or block has this ID.',
});

/** As {@link claimBlocks}, of one entry. */
export const claimBlocksOf = (
  work: UnitOfWork,
  entryId: string,
  blocks: readonly GivenBlock[],
): Promise<void> =>
  claimBlocks(
    work,
    blocks.map((block) => ({ entryId, block })),
  );

/** Values of a request and those that it changes, in one locale. */
interface Change {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly before: FieldValues;
  readonly read: Omit<ReadFields, 'warnings'>;
}

/** What links lead to: entries, and blocks that are part of an entry. */
interface Linked {
  readonly targets: ReadonlyMap<string, LinkTarget>;
  readonly blocks: ReadonlySet<string>;
}

const draftsOf = ({ catalog, type, read }: Change) =>
  [{ type, path: [], fields: read.fields }, ...read.blocks].map((one) => ({
    catalog,
    type: one.type,
    path: one.path,
    values: one.fields,
  }));

/** Puts the blocks that a request writes in their places, merged with what they were. */
function placed(
  type: ContentTypeDefinition,
  values: FieldValues,
  written: ReadonlyMap<string, { readonly block: GivenBlock; readonly values: FieldValues }>,
): FieldValues {
  const result: Record<string, unknown> = { ...values };
  for (const field of blockFieldsOf(type)) {
    if (!Array.isArray(values[field.apiName])) continue;
    result[field.apiName] = blockItems(values, field).map((item) => {
      const own = isOwnBlock(item) ? written.get(item._ref) : undefined;
      if (own === undefined) return item;
      const { block } = own;
      const merged = mergeValues(block.known?.fields ?? {}, placed(block.type, own.values, written));
      const external = block.externalId === undefined ? {} : { _externalId: block.externalId };
      return { _ref: block.id, _type: block.type.apiName, ...external, fields: merged } satisfies OwnBlock;
    });
  }
  return result;
}

/** @throws AppError 422 `limit_reached`, `validation_failed` for a block or an external id that occurs twice */
function assertBlocks({ catalog, type }: Change, values: FieldValues): void {
  if (blockFieldsOf(type).length === 0) return;
  const parts = valueParts(catalog, type, values).slice(1);
  const { ownBlocks: limit } = limits;
  if (parts.length > limit) throw new AppError('limit_reached', { limit });
  const seen = new Set<string>();
  for (const { block, path } of parts) {
    const ids =
      block === null
        ? []
        : [block._ref, ...(block._externalId === undefined ? [] : [`:${block._externalId}`])];
    if (ids.some((id) => seen.has(id)))
      throw invalidInput({
        path: [...path],
        code: 'repeated_block',
        message: 'An entry has a block only once.',
      });
    for (const id of ids) seen.add(id);
  }
}

/** An emptied list keeps its place, so that localized values of blocks that it had are not taken for a value. */
const kept = ({ type, before, read }: Change): FieldValues =>
  Object.fromEntries(
    blockFieldsOf(type)
      .filter(({ apiName }) => read.fields[apiName] === null && Array.isArray(before[apiName]))
      .map(({ apiName }) => [apiName, []]),
  );

/** Links in blocks fields, with their paths. */
const blockLinks = (change: Change): { readonly id: string; readonly path: InputIssue['path'] }[] =>
  draftsOf(change).flatMap(({ type, path, values }) =>
    blockFieldsOf(type).flatMap((field) =>
      blockItems(values, field).flatMap((item, index) =>
        isObject(item) && !isOwnBlock(item) && typeof item._ref === 'string'
          ? [{ id: item._ref.toLowerCase(), path: [...path, 'fields', field.apiName, index, '_ref'] }]
          : [],
      ),
    ),
  );

/** @throws AppError 422 `validation_failed` for links to blocks of entries */
function assertShared(change: Change, { blocks }: Linked): void {
  const refused = blocks.size === 0 ? [] : blockLinks(change).filter(({ id }) => blocks.has(id));
  const message = 'A block that is part of an entry cannot be linked, only a shared one.';
  if (refused.length > 0)
    throw invalidInput(...refused.map(({ path }) => ({ path, code: 'block_not_shared', message })));
}

/** As {@link completeValues}, with what it links, which was looked up. */
export function valuesWith(change: Change, linked: Linked): FieldValues {
  assertShared(change, linked);
  const [own = {}, ...others] = withTargets(draftsOf(change), linked.targets);
  const written = new Map(
    change.read.blocks.map((block, index) => [block.id, { block, values: others[index] ?? block.fields }]),
  );
  const given = { ...placed(change.type, own, written), ...kept(change) };
  const values = mergeValues(change.before, given);
  assertBlocks(change, values);
  return values;
}

/** What changes link to, in their entries and blocks. One statement, another one where blocks are missing. */
export async function linkedBy(work: UnitOfWork, changes: readonly Change[]): Promise<Linked> {
  const targets = await linkTargets(work, changes.flatMap(draftsOf));
  const missing = changes.flatMap(blockLinks).filter(({ id }) => !targets.has(id) && isUuid(id));
  const ids = [...new Set(missing.map(({ id }) => id))];
  return { targets, blocks: await work.use(OwnedBlockRepository).blocksAmong(ids) };
}

/**
 * The values after a request: null clears, what is absent stays, links get their types, blocks their places. One
 * statement.
 * @throws AppError 422 `validation_failed`, `limit_reached`
 */
export async function completeValues(work: UnitOfWork, change: Change): Promise<FieldValues> {
  return valuesWith(change, await linkedBy(work, [change]));
}
