import { RewritingRepository } from '../../shared/rewriting.repository.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { sharedHashes } from '../../shared/published-body.js';
import { isBlocksKind, storedValue } from '../../shared/field-kind-sql.js';
import {
  BlockValueRepository,
  blocksOfType,
  ENTRIES_OF_TYPE,
  fieldMark,
  publishedOfType,
  renameMarks,
} from '../../environments/renames/index.js';

export interface FieldLocation {
  readonly id: string;
  readonly contentTypeId: string;
  readonly apiName: string;
}

/** Values of one field in the drafts and published documents of its type, and in own blocks of it. */
export class FieldValueRepository extends Repository {
  /** Entries, including soft-deleted ones, with a value in a draft or a published document. */
  async countHolders({ contentTypeId, apiName }: FieldLocation): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT e.id FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2
           AND (e.shared_fields ? $3
             OR EXISTS (SELECT FROM entry_locales l
               WHERE l.environment_id = e.environment_id AND l.entry_id = e.id AND l.fields ? $3)
             OR EXISTS (SELECT FROM published_entries p WHERE p.environment_id = e.environment_id AND p.entry_id = e.id
               AND p.fields ? $3 AND p.fields -> $3 NOT IN ('null', '[]')))
         UNION SELECT b.entry_id FROM (${blocksOfType}) AS b WHERE b.own ? $3
         UNION SELECT b.entry_id FROM (${publishedOfType}) AS b WHERE b.own ? $3 AND b.own -> $3 NOT IN ('null', '[]')) AS holders`,
      [this.environmentId, contentTypeId, apiName],
    );
    return row?.count ?? 0;
  }

  /** Draft values of one field, or of every field of the type. */
  async countValues({ contentTypeId, apiName }: Partial<FieldLocation>): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM entries e CROSS JOIN LATERAL jsonb_object_keys(e.shared_fields) AS name
           WHERE e.environment_id = $1 AND e.content_type_id = $2 AND ($3::text IS NULL OR name = $3))::int
         + (SELECT count(*) FROM entry_locales l CROSS JOIN LATERAL jsonb_object_keys(l.fields) AS name
           WHERE l.environment_id = $1 AND l.content_type_id = $2 AND ($3::text IS NULL OR name = $3))::int
         + (SELECT count(*) FROM (${blocksOfType}) AS b CROSS JOIN LATERAL jsonb_object_keys(b.own) AS name
           WHERE $3::text IS NULL OR name = $3)::int AS count`,
      [this.environmentId, contentTypeId, apiName ?? null],
    );
    return row?.count ?? 0;
  }

  /** Drafts with a value, by entry, locale and the entry's field that has it; the locale of a shared value is null. */
  async holders(
    { contentTypeId, apiName }: Omit<FieldLocation, 'id'>,
    inAllLocales: boolean,
  ): Promise<{ id: string; locale: string | null; name: string }[]> {
    return this.query(
      `SELECT id, NULL AS locale, $3::text AS name FROM entries
       WHERE environment_id = $1 AND content_type_id = $2 AND shared_fields ? $3 AND shared_fields -> $3 NOT IN ('null', '[]')
       UNION ALL
       SELECT DISTINCT l.entry_id, o.locale, $3::text FROM entry_locales l
         JOIN entry_locales o ON o.environment_id = l.environment_id AND o.entry_id = l.entry_id AND (o.locale = l.locale OR $4)
       WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3 AND l.fields -> $3 NOT IN ('null', '[]')
       UNION
       SELECT b.entry_id, nullif(o.locale, ''), b.root FROM (${blocksOfType}) AS b
         CROSS JOIN LATERAL (SELECT b.locale UNION SELECT l.locale FROM entry_locales l
           WHERE $4 AND l.environment_id = $1 AND l.entry_id = b.entry_id) AS o
       WHERE b.own ? $3 AND b.own -> $3 NOT IN ('null', '[]')`,
      [this.environmentId, contentTypeId, apiName, inAllLocales],
    );
  }

  /**
   * Removes the values from drafts and published documents, not from versions. An unchanged locale stays unchanged,
   * because both sides lose the same value.
   */
  removeValues(field: FieldLocation): Promise<void> {
    return new RewritingRepository(this.bound).run(() => this.#removeValues(field));
  }

  async #removeValues({ contentTypeId, apiName }: FieldLocation): Promise<void> {
    const bind = [this.environmentId, contentTypeId, apiName];
    await new RewritingRepository(this.bound).begin();
    await this.query(
      `UPDATE entry_locales l SET ${sharedHashes('(e.shared_fields - $3)')}
       FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2 AND e.shared_fields ? $3
         AND l.environment_id = e.environment_id AND l.entry_id = e.id`,
      bind,
    );
    await this.query(
      'UPDATE entries SET shared_fields = shared_fields - $3 WHERE environment_id = $1 AND content_type_id = $2 AND shared_fields ? $3',
      bind,
    );
    await this.query(
      `UPDATE entry_locales SET fields = fields - $3, published_content_hash = CASE
         WHEN published_content_hash = content_hash THEN md5(slug || chr(10) || (fields - $3)::text) ELSE published_content_hash END
       WHERE environment_id = $1 AND content_type_id = $2 AND fields ? $3`,
      bind,
    );
    await this.query(
      'UPDATE published_entries SET fields = fields - $3 WHERE environment_id = $1 AND content_type_id = $2 AND fields ? $3',
      bind,
    );
    const blocks = new BlockValueRepository(this.bound);
    await blocks.change(contentTypeId, { from: apiName });
    const [list] = await this.query(
      `SELECT FROM fields WHERE environment_id = $1 AND content_type_id = $2 AND api_name = $3 AND ${isBlocksKind('type')}`,
      bind,
    );
    if (list !== undefined) await blocks.drop(contentTypeId);
    await this.forgetTranslations({ contentTypeId, apiName });
  }

  /** The field is no longer translated. */
  async forgetTranslations({ contentTypeId, apiName }: Omit<FieldLocation, 'id'>): Promise<void> {
    const dropped = renameMarks(fieldMark('$3::text', null), '$3::text', ENTRIES_OF_TYPE);
    for (const sql of dropped) await this.query(sql, [this.environmentId, contentTypeId, apiName]);
  }

  /** Sets the empty value of published documents, which have no value, to null or an empty list. */
  async renewUnset({ contentTypeId, apiName }: FieldLocation, isList: boolean): Promise<void> {
    await new RewritingRepository(this.bound).run(() =>
      this.query(
        `UPDATE published_entries SET fields = jsonb_set(fields, ARRAY[$3], $4::jsonb)
         WHERE environment_id = $1 AND content_type_id = $2 AND fields ? $3`,
        [this.environmentId, contentTypeId, apiName, isList ? '[]' : 'null'],
      ),
    );
  }

  /**
   * Claims the published values of a field that becomes unique, also those in own blocks.
   * @returns false if two entries share a value
   */
  async claimPublished(
    { id, contentTypeId, apiName, type }: FieldLocation & { readonly type: string },
    isLocalized: boolean,
  ): Promise<boolean> {
    const scope = isLocalized ? 'p.locale' : "''";
    const value = storedValue(type, '(p.own -> $3)');
    await this.query(
      `INSERT INTO unique_values (tenant_id, environment_id, field_id, locale, value_hash, entry_id, published_locale)
       SELECT $5, $1, $4, ${scope}, md5(compared_form(${value})::text), p.entry_id, p.locale
       FROM (SELECT entry_id, locale, fields || coalesce(own_values, '{}') AS own FROM published_entries WHERE environment_id = $1 AND content_type_id = $2
         UNION ALL SELECT entry_id, locale, own FROM (${publishedOfType}) AS b) AS p
       WHERE jsonb_typeof(p.own -> $3) <> 'null' ON CONFLICT DO NOTHING`,
      [this.environmentId, contentTypeId, apiName, id, this.tenantId],
    );
    const repeated = await this.query(
      `SELECT 1 FROM unique_values WHERE environment_id = $1 AND field_id = $2
       GROUP BY locale, value_hash HAVING count(DISTINCT entry_id) > 1 LIMIT 1`,
      [this.environmentId, id],
    );
    return repeated.length === 0;
  }

  /** Releases the values of a field that is no longer unique. */
  async releaseClaims(fieldId: string): Promise<void> {
    await this.query('DELETE FROM unique_values WHERE environment_id = $1 AND field_id = $2', [
      this.environmentId,
      fieldId,
    ]);
  }
}
