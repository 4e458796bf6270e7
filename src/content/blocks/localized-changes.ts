import type { FieldValues } from '../model/field-definition.js';
import { changesIn, type PathChange } from './changed-paths.js';
import { valueParts, type BlockType, type BlockTypes, type ValuePart } from './value-parts.js';

/** Localized values of blocks in lists that all locales share, by id of the block. */
function localizedInBlocks(types: BlockTypes, type: BlockType, values: FieldValues): Map<string, ValuePart> {
  const parts = valueParts(types, type, values).filter(({ isLocalized }) => !isLocalized);
  return new Map(
    parts.flatMap((part) => {
      if (part.block === null) return [];
      const fields = part.type.fields.filter(({ localized }) => localized);
      const own = fields.flatMap(({ apiName }) =>
        Object.hasOwn(part.values, apiName) ? [[apiName, part.values[apiName]] as const] : [],
      );
      return [[part.block._ref, { ...part, values: Object.fromEntries(own) }] as const];
    }),
  );
}

/** Where localized values of blocks in shared lists differ, also of blocks that only one side has. */
export function localizedChangesInBlocks(
  types: BlockTypes,
  type: BlockType,
  { before, after }: { readonly before: FieldValues; readonly after: FieldValues },
): PathChange[] {
  const [was, is] = [before, after].map((values) => localizedInBlocks(types, type, values));
  const ids = new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])]);
  return [...ids].flatMap((id) => {
    const [from, to] = [was?.get(id), is?.get(id)];
    return changesIn(from?.values ?? {}, to?.values ?? {}, (to ?? from)?.name ?? '');
  });
}
