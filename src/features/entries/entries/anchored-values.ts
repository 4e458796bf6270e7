import type { TextRange } from '../../../content/anchors/anchored-text.js';
import type { FieldValues } from '../../../content/validate-fields.js';

/** A comment that is anchored in the text of a field. */
export interface StoredAnchor extends TextRange {
  readonly id: string;
  readonly fieldId: string;
  /** The block that has the field; null for the entry. */
  readonly blockId: string | null;
  readonly locale: string;
}

/** Comments anchored in the text of an entry, and its values before they were written. */
export interface AnchoredValues {
  readonly anchors: readonly StoredAnchor[];
  readonly shared: FieldValues;
  /** By written locale. */
  readonly locales: Readonly<Record<string, FieldValues>> | null;
}

/** In which readers of a locale see entries. */
export interface LocalesRead {
  /** A fallback chain. */
  readonly locales: readonly string[];
  /** Types whose entries have one document for every locale. */
  readonly forAll: readonly string[];
}

/** Stands for the locale that is shown where none is named. */
const SHOWN = '';

/** Locales whose values are read with entries, by the id of the entry where they differ. What is large is read on request. */
export type ValuesRead = 'all' | readonly string[] | ReadonlyMap<string, readonly string[]>;

/** States without values. */
export const noValues: ValuesRead = [];

/** The values of the locale that a call names, else those of the shown one. */
export const valuesIn = (locale?: string): readonly string[] => [locale ?? SHOWN];

/** The values of the locales that the targets name. */
export const valuesOfTargets = (
  targets: readonly { readonly id: string; readonly locale?: string | undefined }[],
): ValuesRead => new Map(targets.map(({ id, locale }) => [id.toLowerCase(), valuesIn(locale)]));

/** As a parameter of the statement: locales by entry, null for all. */
export function readParameter(ids: readonly string[], values: ValuesRead): string | null {
  if (values === 'all') return null;
  const localesOf = (id: string) => ('get' in values ? (values.get(id) ?? []) : values);
  const lower = ids.map((id) => id.toLowerCase());
  return JSON.stringify(Object.fromEntries(lower.map((id) => [id, localesOf(id)])));
}
