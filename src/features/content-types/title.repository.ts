import { titleFieldOf } from '../../content/title-field.js';
import { Repository } from '../../persistence/repositories/repository.js';
import type { WholeContentType } from './content-type.repository.js';

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
