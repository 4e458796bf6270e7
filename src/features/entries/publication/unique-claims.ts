import type { FieldDefinition } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/validate-fields.js';

/** A unique value of one published locale. */
export interface WantedValue {
  readonly entryId: string;
  readonly publishedLocale: string;
  readonly fieldId: string;
  readonly scope: string;
  readonly value: unknown;
}

export interface ClaimedValue extends Omit<WantedValue, 'value'> {
  readonly hash: string;
}

export function wantedValues(
  fields: readonly FieldDefinition[],
  values: FieldValues,
  { entryId, locale }: { entryId: string; locale: string },
): WantedValue[] {
  return fields
    .filter(({ unique, apiName }) => unique && values[apiName] !== undefined && values[apiName] !== null)
    .map(({ id, localized, apiName }) => ({
      entryId,
      publishedLocale: locale,
      fieldId: id,
      scope: localized ? locale : '',
      value: values[apiName],
    }));
}

type Key = string;
const keyOf = ({ fieldId, scope, hash }: ClaimedValue): Key => `${fieldId} ${scope} ${hash}`;

/**
 * Holders of unique values during a bulk publication. Entries claim in order, so the outcome equals publishing them
 * one by one.
 */
export class UniqueClaims {
  readonly #holders = new Map<Key, ClaimedValue[]>();

  constructor(held: readonly ClaimedValue[]) {
    for (const claim of held) this.#holders.set(keyOf(claim), [...this.#of(claim), claim]);
  }

  /** Ids of fields whose value belongs to another entry. */
  taken(wanted: readonly ClaimedValue[]): Set<string> {
    const taken = wanted.filter((claim) => this.#of(claim).some(({ entryId }) => entryId !== claim.entryId));
    return new Set(taken.map(({ fieldId }) => fieldId));
  }

  /** Replaces the values held by a published locale. */
  take({ entryId, locale }: { entryId: string; locale: string }, wanted: readonly ClaimedValue[]): void {
    for (const [key, holders] of this.#holders) {
      const others = holders.filter(
        (holder) => holder.entryId !== entryId || holder.publishedLocale !== locale,
      );
      this.#holders.set(key, others);
    }
    for (const claim of wanted) this.#holders.set(keyOf(claim), [...this.#of(claim), claim]);
  }

  #of(claim: ClaimedValue): ClaimedValue[] {
    return this.#holders.get(keyOf(claim)) ?? [];
  }
}
