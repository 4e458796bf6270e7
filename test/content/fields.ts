import type { FieldKind } from '../../contracts/content/fields/field-kinds.js';
import type { CustomFieldTypeDefinition, FieldDefinition } from '../../src/content/catalog.js';

const settings: Partial<Record<FieldKind, Record<string, unknown>>> = {
  select: { options: [{ value: 'a' }, { value: 'b', label: 'B' }] },
  custom: { customFieldType: 'money' },
};

/** An amount in a currency. */
const money: CustomFieldTypeDefinition = {
  apiName: 'money',
  name: 'Money',
  description: null,
  jsonSchema: {
    type: 'object',
    properties: { amount: { type: 'number' }, currency: { enum: ['EUR', 'USD'] } },
    required: ['amount', 'currency'],
    additionalProperties: false,
  },
  graphqlTypeName: 'Money',
  defaultValue: null,
};

/** A field without constraints. */
export function field(type: FieldKind, changes: Partial<FieldDefinition> = {}): FieldDefinition {
  return {
    id: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
    apiName: type,
    name: type,
    type,
    description: null,
    required: false,
    localized: false,
    unique: false,
    isList: false,
    defaultValue: null,
    position: 0,
    group: null,
    hidden: false,
    deprecated: false,
    settings: settings[type] ?? {},
    ...(type === 'custom' && { customType: money }),
    validations: {},
    ...changes,
  };
}

export const entryId = '019a3b5e-7c1a-7f00-8000-000000000001';
