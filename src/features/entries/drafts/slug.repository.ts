import { numberedSlug } from '../../../content/make-slug.js';
import { EntryTreeRepository, type EntryPlace } from '../../tree/index.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/**
 * Where a slug must be alone: in its site's tree among paths, outside it in one site, type and locale.
 * The entry itself does not stand in its own way.
 */
export interface SlugScope {
  readonly siteId: string;
  readonly contentTypeId: string;
  readonly locale: string;
  readonly entryId: string;
  readonly place: EntryPlace | null;
}

/** How many numbered slugs are looked up at once. */
const CANDIDATES = 50;

const lockSlug = { name: 'hold_slug', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' };
const findTakenSlugs = {
  name: 'taken_slugs',
  text: `SELECT slug FROM entry_locales WHERE environment_id = $1 AND site_id = $2 AND content_type_id = $3 AND locale = $4
    AND slug = ANY($5::text[]) AND entry_id <> $6 AND NOT is_deleted AND NOT in_tree`,
};

/** Slugs that are taken. The check follows the lock without waiting for it here: the database sees to the order. */
export class SlugRepository extends Repository {
  /** Whether another entry has the slug; until the end of this work nobody else takes it. */
  async isTaken(slug: string, scope: SlugScope): Promise<boolean> {
    const [, taken] = await Promise.all([this.#lock(slug, scope), this.#findTaken([slug], scope)]);
    return taken.size > 0;
  }

  /** The slug, or the first of `slug-2`, `slug-3` … that is free; at the end one that cannot be taken. */
  async firstFree(slug: string, scope: SlugScope): Promise<string> {
    const candidates = Array.from({ length: CANDIDATES }, (_, index) =>
      index === 0 ? slug : numberedSlug(slug, index + 1),
    );
    // Two works that make the same slug take turns, so that the second steps aside instead of failing.
    const [, taken] = await Promise.all([this.#lock(slug, scope), this.#findTaken(candidates, scope)]);
    for (const candidate of candidates.filter((one) => !taken.has(one))) {
      // Somebody may be choosing the numbered one just now.
      if (candidate === slug || !(await this.isTaken(candidate, scope))) return candidate;
    }
    return numberedSlug(slug, scope.entryId);
  }

  /** Whoever wants a slug waits here for those who wanted it before: longer slugs are held after shorter ones. */
  async #lock(slug: string, { siteId, contentTypeId, locale }: SlugScope): Promise<void> {
    const key = `slug:${this.environmentId}:${siteId}:${contentTypeId}:${locale}:${slug}`;
    await this.query(lockSlug, [key]);
  }

  async #findTaken(
    slugs: readonly string[],
    { siteId, contentTypeId, locale, entryId, place }: SlugScope,
  ): Promise<Set<string>> {
    if (place?.siteId === siteId) {
      const { parentId, nodeId } = place;
      const segment = { siteId, parentId, locale, entryId, nodeId };
      return new EntryTreeRepository(this.bound).takenSegments(segment, slugs);
    }
    const rows = await this.query<{ slug: string }>(findTakenSlugs, [
      this.environmentId,
      siteId,
      contentTypeId,
      locale,
      slugs,
      entryId,
    ]);
    return new Set(rows.map(({ slug }) => slug));
  }
}
