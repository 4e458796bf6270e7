import { valueIn, type FieldDefinition, type FieldValues } from '../model/field-definition.js';
import { isObject } from '../exact-json/is-object.js';

import { valueParts, type BlockType, type BlockTypes } from './value-parts.js';

/** A localized value of an entry, or of a block in a list that all locales share. A localized list is one value. */
export interface TranslatedValue {
  /** `title`; in a block, on whichever level it is, `sections[<id>].title` with the entry's field. */
  readonly mark: string;
  readonly field: FieldDefinition;
  readonly value: unknown;
  /** Id of the block that has the value; null for the entry itself. */
  readonly blockId: string | null;
}

/** What translations of the values consist of: `field_marks` of the database with their fields. */
export const translatedValues = (
  types: BlockTypes,
  type: BlockType,
  values: FieldValues,
): TranslatedValue[] =>
  valueParts(types, type, values)
    .filter(({ isLocalized }) => !isLocalized)
    .flatMap(({ type: { fields }, values: own, block, root }) =>
      fields.flatMap((field): TranslatedValue[] => {
        const value = valueIn(own, field.apiName);
        if (!field.localized || value === undefined) return [];
        const blockId = block?._ref ?? null;
        const mark = blockId === null ? field.apiName : `${root ?? ''}[${blockId}].${field.apiName}`;
        return [{ mark, field, value, blockId }];
      }),
    );

/** The value of a mark among the stored localized values of a locale. */
export function markedValue(localized: FieldValues, mark: string): unknown {
  const [, root = '', id = '', name = ''] = /^([^[]+)\[([^\]]+)\]\.(.+)$/.exec(mark) ?? [];
  if (root === '') return valueIn(localized, mark);
  const blocks = valueIn(localized, root);
  const values = isObject(blocks) ? valueIn(blocks, id) : undefined;
  return isObject(values) ? valueIn(values, name) : undefined;
}
