import type { Field } from '../../../contracts/resources/field.js';
import type { FieldKind } from '../../../contracts/resources/field-kinds.js';

/** A custom field type as the kernel works with it. */
export interface CustomFieldTypeDefinition {
  readonly apiName: string;
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema 2020-12, checked when it was registered. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly graphqlTypeName: string | null;
  /** Null for none. */
  readonly defaultValue: unknown;
}

/** A field as the kernel works with it. */
export interface FieldDefinition extends Field {
  readonly type: FieldKind;
  /** The type that the settings of a custom field name; set by the catalog. */
  readonly customType?: CustomFieldTypeDefinition | undefined;
}
