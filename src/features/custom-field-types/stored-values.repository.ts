import { Repository } from '../../persistence/repositories/repository.js';
import type { UsingField } from './custom-field-type.repository.js';

/** A value of a field in a draft; `locale` is null where all locales share it. */
export interface StoredValue {
  readonly entryId: string;
  readonly locale: string | null;
  readonly value: unknown;
  readonly bytes: number;
}

/** Draft values of custom fields. */
export class StoredValueRepository extends Repository {
  /** Entries of a type that are not deleted, the last changed first. */
  async entryIds(contentTypeId: string, limit: number): Promise<string[]> {
    const entries = await this.query<{ id: string }>(
      `SELECT id FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND deleted_at IS NULL
       ORDER BY updated_at DESC, id DESC LIMIT $3`,
      [this.environmentId, contentTypeId, limit],
    );
    return entries.map(({ id }) => id);
  }

  /** Values that entries hold of a field. */
  async values({ fieldApiName, localized }: UsingField, entryIds: readonly string[]): Promise<StoredValue[]> {
    const held = localized
      ? `SELECT entry_id AS "entryId", locale, fields -> $3 AS value FROM entry_locales
         WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND fields ? $3`
      : `SELECT id AS "entryId", NULL::text AS locale, shared_fields -> $3 AS value FROM entries
         WHERE environment_id = $1 AND id = ANY($2::uuid[]) AND shared_fields ? $3`;
    return this.query<StoredValue>(
      `SELECT held.*, octet_length(held.value::text) AS bytes FROM (${held}) AS held ORDER BY "entryId", locale`,
      [this.environmentId, [...entryIds], fieldApiName],
    );
  }
}
