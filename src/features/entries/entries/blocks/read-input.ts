import type { Warning } from '../../../../../contracts/envelopes.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { blockFieldsOf } from '../../../../content/blocks/value-parts.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { checkDraftShapes } from '../drafts/draft-values.js';
import { ExternalLinks } from '../drafts/external-links.js';
import { withDefaults } from '../drafts/new-entry.js';
import { convertRichText, type RichTextConverter, type WrittenFields } from '../drafts/rich-text-input.js';
import { BlockReader, type GivenBlock, mayHaveBlocks } from './read-blocks.js';

interface GivenFields {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly fields: FieldValues;
  /** Values before the request, in its locale; empty for a new entry. */
  readonly known: FieldValues;
  /** Of an item of a batch; read here by default. */
  readonly links?: ItemLinks | undefined;
}

/** What a batch links by external ids. */
export interface ItemLinks {
  readonly index: number;
  /** Undefined where it links nothing by them. */
  readonly all: ExternalLinks | undefined;
}

/** Values of a request, of checked shape and without markup. */
export interface ReadFields {
  /** Items that the request writes stand for one of the blocks. */
  readonly fields: FieldValues;
  readonly blocks: readonly GivenBlock[];
  readonly warnings: readonly Warning[];
}

function readBlocks(
  work: UnitOfWork,
  { catalog, type, fields: given, known }: GivenFields,
): { fields: FieldValues; blocks: readonly GivenBlock[] } {
  if (blockFieldsOf(type).length === 0 || !mayHaveBlocks(given)) return { fields: given, blocks: [] };
  const reader = new BlockReader({ catalog, type, known, newId: () => work.newId() });
  const fields = reader.read(type, given);
  reader.assertValid();
  const blocks = reader.blocks.map((block) =>
    block.known === undefined ? { ...block, fields: withDefaults(block.type, block.fields) } : block,
  );
  return { fields, blocks };
}

/**
 * Separates the blocks of a request from the values that contain them, converts HTML and Markdown in all of them,
 * resolves external ids, and checks their shapes. Sends a statement only for external ids.
 * @throws AppError 422 `unknown_field`, `validation_failed`, `limit_reached`
 */
export async function readInput(
  work: UnitOfWork,
  given: GivenFields,
  converter: RichTextConverter,
): Promise<ReadFields> {
  const { catalog, type } = given;
  const { index = 0, all: links } = given.links ?? {
    all: await ExternalLinks.read(work, { catalog, values: given.fields }),
  };
  const { fields, blocks } = readBlocks(work, given);
  const { written: converted, warnings } = await convertRichText<WrittenFields>(
    [{ type, path: [], fields }, ...blocks],
    { converter, projectSlug: catalog.data.project.slug },
  );
  const written = links?.resolve(converted, index) ?? converted;
  const read = blocks.map((block, index) => ({
    ...block,
    fields: written[index + 1]?.fields ?? block.fields,
  }));
  const own = written[0]?.fields ?? fields;
  const all = [{ type, path: [], fields: own }, ...read];
  await checkDraftShapes(all.map((one) => ({ ...one, catalog, values: one.fields })));
  return { fields: own, blocks: read, warnings };
}
