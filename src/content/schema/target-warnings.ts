import type { SchemaWarning } from '../../../contracts/vocabulary/schema-plan.js';
import { kindOf } from '../field-kinds/index.js';
import type { ContentTypeModel, FieldModel } from './schema-model.js';

function codeOf(
  target: ContentTypeModel | undefined,
  takesBlocks: boolean,
): SchemaWarning['code'] | undefined {
  if (target === undefined) return 'unknown_content_type';
  if (target.isBlock === takesBlocks) return undefined;
  return takesBlocks ? 'not_a_block_type' : 'is_a_block_type';
}

const targetsOf = ({ settings }: FieldModel): readonly string[] =>
  (settings as { contentTypes?: readonly string[] }).contentTypes ?? [];

/** Fields that name content types which a new field could not name (decisions 3.1). */
export function targetWarnings(types: readonly ContentTypeModel[]): SchemaWarning[] {
  const known = new Map(types.map((type) => [type.apiName, type]));
  return types.flatMap(({ apiName, fields }) =>
    fields.flatMap((field) =>
      targetsOf(field).flatMap((target): SchemaWarning[] => {
        const code = codeOf(known.get(target), kindOf(field).takesBlocks);
        return code === undefined ? [] : [{ code, contentType: apiName, field: field.apiName, target }];
      }),
    ),
  );
}
