import { Repository } from '../../../persistence/repositories/repository.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import type { WholeContentType } from './content-type.repository.js';

/** Counts entries of types that may have one per site only. */
export class SingletonRepository extends Repository {
  /** Whether some site has more than one entry of the type. */
  async isRepeated(contentTypeId: string): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND deleted_at IS NULL
       GROUP BY site_id HAVING count(*) > 1 LIMIT 1`,
      [this.environmentId, contentTypeId],
    );
    return rows.length > 0;
  }
}

/** Stored titles of entries, which lists show and search. */
export class TitleRepository extends Repository {
  /**
   * Updates the titles of a type's entries if another field titles them.
   * @param isMoved whether values were moved between locales and entries
   */
  async follow(before: WholeContentType, after: WholeContentType, isMoved = false): Promise<void> {
    const field = titleFieldOf({ ...after.type, fields: after.fields });
    if (!isMoved && field === titleFieldOf({ ...before.type, fields: before.fields })) return;
    await this.query(
      `UPDATE entry_locales l SET title = coalesce(nullif(left(trim(regexp_replace(
           coalesce(l.fields ->> $3, e.shared_fields ->> $3, ''), '\\s+', ' ', 'g')), 300), ''), l.slug)
       FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2
         AND l.environment_id = e.environment_id AND l.entry_id = e.id`,
      [this.environmentId, after.type.id, field ?? ''],
    );
  }
}
