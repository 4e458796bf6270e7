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

type GroupField = Pick<FieldDefinition, 'settings' | 'validations'>;

/**
 * Whether clients read and write the blocks of a field as one object (rule content/groups). It is stored as a list, and
 * delivered as an object.
 */
export const isGroup = ({ settings, validations }: GroupField): boolean =>
  (settings as { shape?: string }).shape === 'group' && validations.maxItems === 1;

/** Validations of texts that name content types, and media types beside them. */
export const textTargetKeys = ['allowedEmbeds', 'allowedLinks'] as const;

interface TextTarget {
  readonly key: (typeof textTargetKeys)[number];
  readonly index: number;
  readonly name: string;
}

/** Content types that the validations of a field name. Media types have a slash. */
export function textTargetsOf(validations: object): TextTarget[] {
  return textTargetKeys.flatMap((key) => {
    const names = (validations as Readonly<Record<string, unknown>>)[key];
    if (!Array.isArray(names)) return [];
    return names.flatMap((name: unknown, index) =>
      typeof name === 'string' && !name.includes('/') ? [{ key, index, name }] : [],
    );
  });
}
