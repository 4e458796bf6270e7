import { AppError, invalidInput, type InputIssue } from '../../../../contracts/errors.js';
import type { FieldInput } from '../../../../contracts/content/fields/field.js';
import { isReservedFieldName, nameOfField } from '../../../content/model/api-names.js';
import {
  withCustomType,
  type ContentTypeDefinition,
  type CustomFieldTypeDefinition,
  type FieldDefinition,
} from '../../../content/catalog.js';
import { checkConditions } from '../../../content/field-conditions.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { textTargetsOf } from '../../../content/model/field-definition.js';
import { checkFieldDefinition } from '../../../content/validate-fields.js';
import type { FieldRow } from './content-type.repository.js';

/** What a new field inherits from its content type. */
export interface FieldFrame {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly contentTypeId: string;
  readonly isTypeLocalized: boolean;
  readonly now: Date;
  newId(): string;
}

/** A field row with the defaults of its kind. */
export function fieldRow(frame: FieldFrame, input: FieldInput, position: number): FieldRow {
  const { tenantId, environmentId, contentTypeId, now } = frame;
  const kind = kindOf(input);
  return {
    tenantId,
    environmentId,
    id: frame.newId(),
    contentTypeId,
    apiName: input.apiName,
    name: input.name ?? nameOfField(input.apiName),
    type: input.type,
    description: input.description ?? null,
    required: input.required ?? false,
    localized: input.localized ?? (frame.isTypeLocalized && kind.isTranslatable),
    unique: input.unique ?? false,
    isList: kind.isAlwaysList || (input.isList ?? false),
    defaultValue: input.defaultValue ?? null,
    position,
    group: input.group ?? null,
    hidden: input.hidden ?? false,
    deprecated: input.deprecated ?? false,
    settings: input.settings ?? {},
    validations: input.validations ?? {},
    createdAt: now,
    updatedAt: now,
  };
}

const definitionOf = (row: FieldRow): FieldDefinition => row as unknown as FieldDefinition;

function sourceIssues(field: FieldRow, siblings: readonly FieldRow[]): InputIssue[] {
  const { sourceField } = field.settings as { sourceField?: string };
  if (sourceField === undefined || siblings.some(({ apiName }) => apiName === sourceField)) return [];
  return [
    {
      path: ['settings', 'sourceField'],
      code: 'unknown_field',
      message: `Unknown field ${sourceField}.`,
    },
  ];
}

export interface DefinitionSurroundings {
  /** Every field of the type, including this one. */
  readonly siblings: readonly FieldRow[];
  /** The environment's content types by apiName, including the type itself. */
  readonly types: ReadonlyMap<string, Pick<ContentTypeDefinition, 'isBlock'>>;
  /** Types that the field names already: they may be of any kind, or deleted. */
  readonly known?: readonly string[] | undefined;
  /** The environment's custom field types by apiName. */
  readonly customTypes: ReadonlyMap<string, CustomFieldTypeDefinition>;
  /** Path of the definition in the input. */
  readonly path: readonly (string | number)[];
}

/**
 * Checks one definition.
 * @throws AppError 422 `reserved_api_name` or `validation_failed`, 404 `content_type_not_found` or
 *   `custom_field_type_not_found`
 */
export function assertDefinition(
  field: FieldRow,
  { siblings, types, known, customTypes, path }: DefinitionSurroundings,
): void {
  if (isReservedFieldName(field.apiName))
    throw new AppError('reserved_api_name', { apiName: field.apiName, path: [...path, 'apiName'] });
  const customType = kindOf(field).customTypeName(definitionOf(field).settings);
  if (customType !== undefined && !customTypes.has(customType))
    throw new AppError('custom_field_type_not_found', { path: [...path, 'settings', 'customFieldType'] });
  const definition = withCustomType(definitionOf(field), customTypes);
  const misshapen = checkFieldDefinition(definition);
  const conditions = misshapen.length > 0 ? [] : checkConditions(definition, siblings.map(definitionOf));
  const issues = [...misshapen, ...sourceIssues(field, siblings), ...conditions];
  if (field.unique && field.isList)
    issues.push({ path: ['unique'], code: 'not_supported', message: 'A list cannot be unique.' });
  if (issues.length > 0)
    throw invalidInput(...issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
  assertTargetTypes(field, { types, known, path });
}

/** A blocks field takes block types only, a reference none, a text any (rule content/types). */
function assertTargetTypes(
  { type, settings, validations }: FieldRow,
  { types, known = [], path }: Pick<DefinitionSurroundings, 'types' | 'known' | 'path'>,
): void {
  for (const { key, index, name } of textTargetsOf(validations))
    if (!known.includes(name) && !types.has(name))
      throw new AppError('content_type_not_found', { path: [...path, 'validations', key, index] });
  const { contentTypes = [] } = settings as { contentTypes?: string[] };
  const { takesBlocks } = kindOf({ type });
  const message = takesBlocks ? 'is not a block type' : 'is a block type: use a blocks field';
  contentTypes.forEach((name, index) => {
    if (known.includes(name)) return;
    const at = [...path, 'settings', 'contentTypes', index];
    const target = types.get(name);
    if (target === undefined) throw new AppError('content_type_not_found', { path: at });
    if (target.isBlock !== takesBlocks)
      throw invalidInput({ path: at, code: 'content_type_not_allowed', message: `${name} ${message}.` });
  });
}
