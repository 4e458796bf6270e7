import type { FieldKind } from '../../../contracts/resources/field-kinds.js';
import type { FieldDefinition } from '../model/field-definition.js';
import type { Problem } from '../model/problem.js';

/** A link from a value to an entry. `type` is null where the writer left it out. */
export interface Link {
  readonly id: string;
  readonly type: string | null;
}

/** What a field kind means for ONE value of it: lists, null and `required` are the caller's business. */
export interface FieldKindRules {
  /** Type and format, checked on every write (decisions 2.29, "When rules bite"). */
  checkShape(value: unknown, field: FieldDefinition): Problem[];
  /** The field's validations, checked at publish. Only for values without shape problems. */
  checkRules(value: unknown, field: FieldDefinition): Problem[];
  /** The value as delivery shows it at `include=0` (specification 2.1). */
  deliver(value: unknown, field: FieldDefinition): unknown;
  /** Entries that the value links to. */
  links(value: unknown): Link[];
  /** What is wrong with the settings, validations and default value of a definition. */
  checkOptions(field: FieldDefinition): Problem[];
  /** Kinds that every value of this kind is a good value of, unchanged. */
  readonly canBecome: readonly FieldKind[];
}
