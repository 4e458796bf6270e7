import type { Field } from '../../../contracts/content/fields/field.js';
import type { FieldKind } from '../../../contracts/content/fields/field-kinds.js';

export interface CustomFieldTypeDefinition {
  readonly apiName: string;
  readonly name: string;
  readonly description: string | null;
  /** Checked on registration. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly graphqlTypeName: string | null;
  /** Null for none. */
  readonly defaultValue: unknown;
}

export interface FieldDefinition extends Field {
  readonly type: FieldKind;
  /** Resolved by the catalog. */
  readonly customType?: CustomFieldTypeDefinition | undefined;
}

/** Values of an entry in one locale by `apiName`. Absent and null both mean not set. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** The value of a field, never an inherited property. */
export function valueIn(values: FieldValues, apiName: string): unknown {
  return Object.hasOwn(values, apiName) ? values[apiName] : undefined;
}
