import type { FieldKind } from '../../contracts/resources/field-kinds.js';
import type { FieldDefinition } from '../../src/content/catalog.js';

/** A field definition for tests: of the given kind, with nothing asked of its values. */
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
    settings: type === 'select' ? { options: [{ value: 'a' }, { value: 'b', label: 'B' }] } : {},
    validations: {},
    ...changes,
  };
}

/** An entry id. */
export const entryId = '019a3b5e-7c1a-7f00-8000-000000000001';
