import type { TextRange } from '../../../../content/anchors/anchored-text.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

export interface MovedAnchor {
  readonly id: string;
  /** Null if its text was deleted. */
  readonly range: TextRange | null;
}

export class AnchorRepository extends Repository {
  /** One statement; does not wait for it. */
  move(anchors: readonly MovedAnchor[]): void {
    if (anchors.length === 0) return;
    const moved = this.query(
      `UPDATE entry_comments c SET range_from = g.range_from, range_to = g.range_to
       FROM unnest($2::uuid[], $3::int[], $4::int[]) AS g (id, range_from, range_to)
       WHERE c.environment_id = $1 AND c.id = g.id`,
      [
        this.environmentId,
        anchors.map(({ id }) => id),
        anchors.map(({ range }) => range?.from ?? null),
        anchors.map(({ range }) => range?.to ?? null),
      ],
    );
    this.defer(moved);
  }
}
