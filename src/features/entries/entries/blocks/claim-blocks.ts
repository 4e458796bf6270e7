import { invalidInput } from '../../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { OwnedBlockRepository } from './owned-block.repository.js';
import type { GivenBlock } from './read-blocks.js';

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
