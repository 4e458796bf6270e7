import type { TextRange } from '../../content/anchors/index.js';
import type { FieldValues } from '../../content/validate-fields.js';

/** A comment that is anchored in the text of a field. */
interface StoredAnchor extends TextRange {
  readonly id: string;
  readonly fieldId: string;
  readonly locale: string;
}

/** Comments anchored in the text of an entry, and its values before they were written. */
export interface AnchoredValues {
  readonly anchors: readonly StoredAnchor[];
  readonly shared: FieldValues;
  /** By written locale. */
  readonly locales: Readonly<Record<string, FieldValues>> | null;
}
