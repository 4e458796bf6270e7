import { mapParts, ownBlocksIn, valueParts, type BlockTypes } from './blocks/value-parts.js';
import type { ContentTypeDefinition } from './catalog.js';
import type { FieldValues } from './model/field-definition.js';
import { isMissing } from './validate-fields.js';

type Types = BlockTypes<ContentTypeDefinition>;

const falls = ({ isLocalized, fieldFallback }: ContentTypeDefinition): boolean =>
  isLocalized && fieldFallback;

/** Whether values of an entry, in it or in one of its blocks, may be those of a fallback. */
export const mayFallBack = (types: Types, type: ContentTypeDefinition, values: FieldValues): boolean =>
  type.isLocalized && (falls(type) || valueParts(types, type, values).some((part) => falls(part.type)));

/** The values with those that only `fallback` has, in the entry and in the blocks that both have. */
function complete(
  types: Types,
  type: ContentTypeDefinition,
  { own, fallback }: { readonly own: FieldValues; readonly fallback: FieldValues },
): FieldValues {
  const blocks = ownBlocksIn(types, type, own);
  const others = ownBlocksIn(types, type, fallback);
  /** Blocks are in one place of an entry. */
  const isElsewhere = (holder: ContentTypeDefinition, name: string, value: unknown): boolean =>
    blocks.size > 0 && [...ownBlocksIn(types, holder, { [name]: value }).keys()].some((id) => blocks.has(id));
  return mapParts(types, { type, values: own }, ({ type: holder, values, block }) => {
    if (!falls(holder)) return values;
    const same = block === undefined ? undefined : others.get(block._ref);
    const other = block === undefined ? fallback : same?._type === block._type ? same.fields : {};
    const taken = holder.fields.filter(
      (field) =>
        field.localized &&
        isMissing(field, values[field.apiName]) &&
        !isMissing(field, other[field.apiName]) &&
        !isElsewhere(holder, field.apiName, other[field.apiName]),
    );
    return { ...values, ...Object.fromEntries(taken.map(({ apiName }) => [apiName, other[apiName]])) };
  });
}

/**
 * Draft values of an entry in which localized fields without a value have that of the first fallback with one, where
 * their type says so (rule localization/field-fallback). Published documents are stored like that.
 * @param fallbacks values in the fallbacks of the locale that are written, the best first
 */
export function showFallbacks(
  types: Types,
  type: ContentTypeDefinition | undefined,
  { values, fallbacks }: { readonly values: FieldValues; readonly fallbacks: readonly FieldValues[] },
): FieldValues {
  if (type?.isLocalized !== true || fallbacks.length === 0) return values;
  return [values, ...fallbacks].reduceRight((fallback, own) => complete(types, type, { own, fallback }));
}
