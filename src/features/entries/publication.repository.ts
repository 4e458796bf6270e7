import type { FieldDefinition } from '../../content/catalog.js';
import type { FieldValues } from '../../content/validate-fields.js';
import { Repository } from '../../persistence/repository.js';
import type { StoredEntry, StoredLocale } from './stored-entry.js';

/** A value that no other published entry of the type may have. */
interface UniqueValue {
  readonly fieldId: string;
  /** Empty for fields that all locales share. */
  readonly scope: string;
  readonly value: unknown;
}

function uniqueValuesIn(
  fields: readonly FieldDefinition[],
  values: FieldValues,
  locale: string,
): UniqueValue[] {
  return fields
    .filter((field) => field.unique && values[field.apiName] !== undefined && values[field.apiName] !== null)
    .map(({ id, localized, apiName }) => ({
      fieldId: id,
      scope: localized ? locale : '',
      value: values[apiName],
    }));
}

/** One publication: whose, what of it, when. */
export interface Publication {
  readonly entry: StoredEntry;
  readonly state: StoredLocale;
  /** The resolved document. */
  readonly document: FieldValues;
  readonly at: Date;
}

/** Keeps the read model in step with what is published. */
export class PublicationRepository extends Repository {
  /**
   * Claims the entry's unique values for a locale; answers the ids of fields whose value another
   * published entry has. Claims of one value wait for each other, so of two publishers one is told.
   */
  async claimUnique(
    entry: StoredEntry,
    fields: readonly FieldDefinition[],
    claim: { locale: string; values: FieldValues },
  ): Promise<string[]> {
    if (!fields.some(({ unique }) => unique)) return [];
    const bind = [this.environmentId, entry.id, claim.locale];
    await this.query(
      'DELETE FROM unique_values WHERE environment_id = $1 AND entry_id = $2 AND published_locale = $3',
      bind,
    );
    const values = uniqueValuesIn(fields, claim.values, claim.locale);
    if (values.length === 0) return [];
    const rows = `SELECT (v ->> 'fieldId')::uuid AS field_id, v ->> 'scope' AS scope, md5((v -> 'value')::text) AS hash FROM jsonb_array_elements($2::jsonb) AS v`;
    const given = JSON.stringify(values);
    await this.query(
      `SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM (
         SELECT 'unique:' || $1 || field_id || scope || hash AS key FROM (${rows}) AS v ORDER BY 1) AS keys`,
      [this.environmentId, given],
    );
    const taken = await this.query<{ fieldId: string }>(
      `SELECT DISTINCT u.field_id AS "fieldId" FROM (${rows}) AS v JOIN unique_values u
         ON u.environment_id = $1 AND u.field_id = v.field_id AND u.locale = v.scope AND u.value_hash = v.hash AND u.entry_id <> $3`,
      [this.environmentId, given, entry.id],
    );
    if (taken.length > 0) return taken.map(({ fieldId }) => fieldId);
    await this.query(
      `INSERT INTO unique_values (tenant_id, environment_id, field_id, locale, value_hash, entry_id, published_locale)
       SELECT $5, $1, field_id, scope, hash, $3, $4 FROM (${rows}) AS v`,
      [this.environmentId, given, entry.id, claim.locale, this.tenantId],
    );
    return [];
  }

  /** Makes the document of one locale live; answers the locale's new state. */
  async publish({ entry, state, document, at }: Publication): Promise<StoredLocale> {
    await this.query(
      `WITH state AS (
         UPDATE entry_locales SET published_content_hash = content_hash, published_shared_hash = $5, published_version = $6,
           published_at = $7, first_published_at = coalesce(first_published_at, $7)
         WHERE environment_id = $1 AND entry_id = $2 AND locale = $3
         RETURNING first_published_at)
       INSERT INTO published_entries (environment_id, entry_id, locale, content_type_id, site_id, slug, fields, version,
         created_at, published_at, first_published_at)
       SELECT $1, $2, $3, $8, $9, $10, $4, $6, $11, $7, state.first_published_at FROM state
       ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, fields = excluded.fields,
         version = excluded.version, published_at = excluded.published_at`,
      [
        this.environmentId,
        entry.id,
        state.locale,
        JSON.stringify(document),
        entry.sharedHash,
        entry.version,
        at,
        entry.contentTypeId,
        entry.siteId,
        state.slug,
        entry.createdAt,
      ],
    );
    return {
      ...state,
      publishedContentHash: state.contentHash,
      publishedSharedHash: entry.sharedHash,
      publishedVersion: entry.version,
      publishedAt: at,
      firstPublishedAt: state.firstPublishedAt ?? at,
    };
  }

  /** Takes locales of an entry offline; the drafts stay. */
  async unpublish(entryId: string, locales: readonly string[]): Promise<void> {
    const bind = [this.environmentId, entryId, [...locales]];
    await this.query(
      `WITH gone AS (DELETE FROM published_entries WHERE environment_id = $1 AND entry_id = $2 AND locale = ANY($3::text[])),
       freed AS (DELETE FROM unique_values WHERE environment_id = $1 AND entry_id = $2 AND published_locale = ANY($3::text[]))
       UPDATE entry_locales SET published_content_hash = NULL, published_shared_hash = NULL, published_version = NULL, published_at = NULL
       WHERE environment_id = $1 AND entry_id = $2 AND locale = ANY($3::text[])`,
      bind,
    );
  }

  /** Marks an entry as deleted; its slugs become free. */
  async softDelete(entryId: string, at: Date, by: object): Promise<void> {
    await this.query(
      `WITH state AS (UPDATE entry_locales SET is_deleted = true WHERE environment_id = $1 AND entry_id = $2)
       UPDATE entries SET deleted_at = $3, updated_at = $3, updated_by = $4 WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, entryId, at, JSON.stringify(by)],
    );
  }
}
