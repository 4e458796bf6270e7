import type { FieldDefinition } from '../model/field-definition.js';
import type { Problem } from '../model/problem.js';

/** `type` is null if the caller omitted it. */
export interface Link {
  readonly id: string;
  readonly type: string | null;
}

/** What rules look at in the file of an asset. */
export interface MediaFacts {
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
}

/** What rules look at in an entry. */
interface EntryFacts {
  readonly contentTypeApiName: string;
}

/** An entry or asset that a value names: as the value itself, as an embed in a text, or as what a link leads to. */
export interface Use {
  readonly id: string;
  readonly as: 'value' | 'embed' | 'link';
}

/** A `date` is compared as a string is, with instants as their date in UTC. */
export type Comparison = 'string' | 'number' | 'boolean' | 'date' | 'time' | 'link';

/** `ContentEntry` is the linked entry, `MediaAsset` the asset. */
export type GraphqlValueType =
  'String' | 'Float' | 'Boolean' | 'JSON' | 'RichText' | 'Location' | 'ContentEntry' | 'MediaAsset';

/** Groups of values that another kind accepts: a `line` fits a short text, a `longLine` only a long one. */
export type ValueClass = 'line' | 'longLine' | 'wholeNumber' | 'structure';

export interface FieldKindTraits {
  readonly isAlwaysList: boolean;
  /** Whether its links are to block types only; links of other kinds are to none. */
  readonly takesBlocks: boolean;
  /** HTML or Markdown can be written instead of the value. */
  readonly takesMarkup: boolean;
  /** Localized by default in a localized type. */
  readonly isTranslatable: boolean;
  /** `first`: the first such field titles an entry; `chosen`: it can be the display field. */
  readonly titles: 'first' | 'chosen' | 'never';
  /** A suffix can be appended to values. */
  readonly isProse: boolean;
  readonly givesSlug: boolean;
  /** Null if filters cannot compare values. */
  readonly comparison: Comparison | null;
  readonly graphqlType: GraphqlValueType;
  /** Key of the stored value in the delivered one; null if both are equal. */
  readonly storedKey: string | null;
  /** Null if no other kind accepts the values. */
  readonly valueClass: ValueClass | null;
  /** Classes whose every value is valid for this kind. */
  readonly accepts: readonly ValueClass[];
}

/** Applies to one value; lists, null and `required` are the caller's concern. */
export interface FieldKindRules extends FieldKindTraits {
  /** Whether values are links to entries. */
  readonly isLink: boolean;
  /** Whether values can name assets. */
  readonly namesMedia: boolean;
  /** Whether values can name entries without being links to them. */
  readonly namesEntries: boolean;
  /** Type and format, checked on every write (rule content/values, "When rules bite"). */
  checkShape(value: unknown, field: FieldDefinition): Problem[];
  /** Validations, checked at publish. Only for values of valid shape. */
  checkRules(value: unknown, field: FieldDefinition): Problem[];
  /** Whether a value of valid shape counts as missing. */
  isEmpty(value: unknown): boolean;
  /** The delivered value at `include=0` (rule delivery/entry). */
  deliver(value: unknown, field: FieldDefinition): unknown;
  links(value: unknown): Link[];
  /** Assets that a value names. */
  mediaUses(value: unknown): Use[];
  /** Validations of an asset that a value names, checked at publish. */
  checkMedia(asset: MediaFacts, field: FieldDefinition, as: Use['as']): Problem[];
  /** Entries that a value names without being a link to them. */
  entryUses(value: unknown): Use[];
  /** The value with other ids of the entries that it names. */
  mapEntryUses(value: unknown, map: (id: string) => string): unknown;
  /** Validations of an entry that a value names, checked at publish. */
  checkEntry(entry: EntryFacts, field: FieldDefinition, as: Use['as']): Problem[];
  /** The value as it is stored. */
  store(value: unknown): unknown;
  /** `apiName` of the custom field type in the settings. */
  customTypeName(settings: Readonly<Record<string, unknown>>): string | undefined;
  /** Checks settings, validations and default value. */
  checkOptions(field: FieldDefinition): Problem[];
}
