import type { FieldDefinition } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/validate-fields.js';

/** A value that one published locale of an entry wants for itself. */
export interface WantedValue {
  readonly entryId: string;
  readonly publishedLocale: string;
  readonly fieldId: string;
  /** Empty for fields that all locales share. */
  readonly scope: string;
  readonly value: unknown;
}

/** A value as it is stored: by its hash. */
export interface ClaimedValue extends Omit<WantedValue, 'value'> {
  readonly hash: string;
}

/** The values of unique fields that a locale publishes. */
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
 * Who holds which value while several entries are published at once: they claim one after another, so
 * that the outcome is the same as if each had been published alone.
 */
export class UniqueClaims {
  readonly #holders = new Map<Key, ClaimedValue[]>();

  constructor(held: readonly ClaimedValue[]) {
    for (const claim of held) this.#holders.set(keyOf(claim), [...this.#of(claim), claim]);
  }

  /** Ids of the fields whose value another entry holds. */
  taken(wanted: readonly ClaimedValue[]): Set<string> {
    const taken = wanted.filter((claim) => this.#of(claim).some(({ entryId }) => entryId !== claim.entryId));
    return new Set(taken.map(({ fieldId }) => fieldId));
  }

  /** Gives a published locale its new values in the place of those it held. */
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
