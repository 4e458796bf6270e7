import type { Field } from '../../../contracts/resources/field.js';
import type { FieldKind } from '../../../contracts/resources/field-kinds.js';

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
