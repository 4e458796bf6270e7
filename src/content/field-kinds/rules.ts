import type { FieldDefinition } from '../model/field-definition.js';
import type { Problem } from '../model/problem.js';

/** A link from a value to an entry. `type` is null where the writer left it out. */
export interface Link {
  readonly id: string;
  readonly type: string | null;
}

/** How filters compare values. */
export type Comparison = 'string' | 'number' | 'boolean' | 'time' | 'link';

/** GraphQL type of one value. `ContentEntry` is the linked entry. */
export type GraphqlValueType =
  'String' | 'Float' | 'Boolean' | 'JSON' | 'RichText' | 'Location' | 'ContentEntry';

/**
 * Groups of values that another kind can hold unchanged: a `line` is at most as long as a short text, a `longLine`
 * only as long as a long one.
 */
export type ValueClass = 'line' | 'longLine' | 'wholeNumber' | 'structure';

/** What distinguishes a kind outside the checks of its values. */
export interface FieldKindTraits {
  /** Every field of the kind is a list. */
  readonly isAlwaysList: boolean;
  /** Values are language: localized by default in a localized type. */
  readonly isTranslatable: boolean;
  /** `first`: the first such field titles an entry; `chosen`: it can be the display field. */
  readonly titles: 'first' | 'chosen' | 'never';
  /** Values are prose, to which a suffix can be appended. */
  readonly isProse: boolean;
  /** The entry's slug is taken from the field. */
  readonly givesSlug: boolean;
  /** Null where filters cannot compare values. */
  readonly comparison: Comparison | null;
  readonly graphqlType: GraphqlValueType;
  /** Key of the stored value in the delivered one; null where both are the same. */
  readonly storedKey: string | null;
  /** Null where no other kind takes the values. */
  readonly valueClass: ValueClass | null;
  /** Classes whose every value is also a value of this kind. */
  readonly accepts: readonly ValueClass[];
}

/** What a field kind means for ONE value of it; lists, null and `required` are the caller's concern. */
export interface FieldKindRules extends FieldKindTraits {
  /** Whether values are links to entries. */
  readonly isLink: boolean;
  /** Type and format, checked on every write (decisions 2.29, "When rules bite"). */
  checkShape(value: unknown, field: FieldDefinition): Problem[];
  /** The field's validations, checked at publish. Only for values without shape problems. */
  checkRules(value: unknown, field: FieldDefinition): Problem[];
  /** Whether a value of good shape counts as missing. */
  isEmpty(value: unknown): boolean;
  /** The value as delivery shows it at `include=0` (specification 2.1). */
  deliver(value: unknown, field: FieldDefinition): unknown;
  /** Entries that the value links to. */
  links(value: unknown): Link[];
  /** `apiName` of the custom field type in the settings, if the kind has one. */
  customTypeName(settings: Readonly<Record<string, unknown>>): string | undefined;
  /** What is wrong with the settings, validations and default value of a definition. */
  checkOptions(field: FieldDefinition): Problem[];
}
