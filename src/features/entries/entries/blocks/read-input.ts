import type { Warning } from '../../../../../contracts/envelopes.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { checkDraftShapes } from '../drafts/draft-values.js';
import { convertRichText, type RichTextConverter, type WrittenFields } from '../drafts/rich-text-input.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { LinkRepository } from '../link.repository.js';
import { givenValues, mayHaveBlocks, namedBlockIds, type NestedBlock } from './nested-block.js';
import { BlockReader } from './read-blocks.js';

interface GivenFields {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  /** The entry that has them. */
  readonly id: string;
  readonly fields: FieldValues;
}

export interface ReadFields {
  readonly fields: FieldValues;
  readonly blocks: readonly NestedBlock[];
  readonly warnings: readonly Warning[];
}

async function readBlocks(
  work: UnitOfWork,
  { catalog, type, id: rootId, fields: given }: GivenFields,
): Promise<{ fields: FieldValues; blocks: readonly NestedBlock[] }> {
  if (!mayHaveBlocks(given)) return { fields: given, blocks: [] };
  const targets = await work.use(LinkRepository).readableTargets(namedBlockIds(given).filter(isUuid));
  const reader = new BlockReader({ catalog, targets, rootId, newId: () => work.newId() });
  const fields = reader.read(type, given);
  reader.assertValid();
  return { fields, blocks: reader.blocks };
}

/**
 * Separates nested blocks from the values that contain them, converts HTML and Markdown in all of them, and checks the
 * values of blocks. Sends no statement without blocks that exist.
 * @throws AppError 422 `validation_failed`, `limit_reached`, 404 `entry_not_found`
 */
export async function readInput(
  work: UnitOfWork,
  given: GivenFields,
  converter: RichTextConverter,
): Promise<ReadFields> {
  const { fields, blocks } = await readBlocks(work, given);
  const { written, warnings } = await convertRichText<WrittenFields>(
    [{ type: given.type, path: [], fields }, ...blocks],
    converter,
  );
  const read = blocks.map((block, index) => ({
    ...block,
    fields: written[index + 1]?.fields ?? block.fields,
  }));
  await checkDraftShapes(
    read.map((block) => ({ ...block, catalog: given.catalog, values: givenValues(block) })),
  );
  return { fields: written[0]?.fields ?? fields, blocks: read, warnings };
}
