import type { FieldDefinition } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

/** A unique value of one published locale. */
interface WantedValue {
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

interface PublishedLocale {
  readonly entryId: string;
  readonly locale: string;
}

const column = <T, K extends keyof T>(rows: readonly T[], key: K): T[K][] => rows.map((row) => row[key]);

/** Values unique among published entries of a type. */
export class UniqueValueRepository extends Repository {
  /** Hashes the values and locks them in one order, so that of concurrent publishers one is rejected. */
  async lock(wanted: readonly WantedValue[]): Promise<ClaimedValue[]> {
    if (wanted.length === 0) return [];
    const rows = await this.query<{ index: number; hash: string }>(
      `SELECT index, hash, pg_advisory_xact_lock(hashtextextended(key, 0)) FROM (
         SELECT v.index::int AS index, h.hash, 'unique:' || $1 || v.field_id || v.scope || h.hash AS key
         FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) WITH ORDINALITY AS v (field_id, scope, value, index),
           LATERAL (SELECT md5(compared_form(v.value)::text) AS hash) AS h ORDER BY key) AS keys`,
      [
        this.environmentId,
        column(wanted, 'fieldId'),
        column(wanted, 'scope'),
        wanted.map(({ value }) => JSON.stringify(value)),
      ],
    );
    const hashes = new Map(rows.map(({ index, hash }) => [index, hash]));
    return wanted.map(({ value: _value, ...claim }, index) => ({
      ...claim,
      hash: hashes.get(index + 1) ?? '',
    }));
  }

  async holders(wanted: readonly ClaimedValue[]): Promise<ClaimedValue[]> {
    if (wanted.length === 0) return [];
    return this.query<ClaimedValue>(
      `SELECT DISTINCT u.entry_id AS "entryId", u.published_locale AS "publishedLocale", u.field_id AS "fieldId",
         u.locale AS scope, u.value_hash AS hash
       FROM unnest($2::uuid[], $3::text[], $4::text[]) AS v (field_id, scope, hash) JOIN unique_values u
         ON u.environment_id = $1 AND u.field_id = v.field_id AND u.locale = v.scope AND u.value_hash = v.hash`,
      [this.environmentId, column(wanted, 'fieldId'), column(wanted, 'scope'), column(wanted, 'hash')],
    );
  }

  /** Replaces the values of these published locales. */
  async claim(locales: readonly PublishedLocale[], values: readonly ClaimedValue[]): Promise<void> {
    if (locales.length === 0) return;
    await this.query(
      `WITH wanted AS (
         SELECT * FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[])
           AS w (entry_id, published_locale, field_id, scope, hash)),
       freed AS (
         DELETE FROM unique_values u USING unnest($7::uuid[], $8::text[]) AS p (entry_id, locale)
         WHERE u.environment_id = $1 AND u.entry_id = p.entry_id AND u.published_locale = p.locale AND NOT EXISTS (
           SELECT FROM wanted w WHERE w.entry_id = u.entry_id AND w.published_locale = u.published_locale
             AND w.field_id = u.field_id AND w.scope = u.locale AND w.hash = u.value_hash))
       INSERT INTO unique_values (tenant_id, environment_id, field_id, locale, value_hash, entry_id, published_locale)
       SELECT $9, $1, field_id, scope, hash, entry_id, published_locale FROM wanted ON CONFLICT DO NOTHING`,
      [
        this.environmentId,
        column(values, 'entryId'),
        column(values, 'publishedLocale'),
        column(values, 'fieldId'),
        column(values, 'scope'),
        column(values, 'hash'),
        column(locales, 'entryId'),
        column(locales, 'locale'),
        this.tenantId,
      ],
    );
  }
}
