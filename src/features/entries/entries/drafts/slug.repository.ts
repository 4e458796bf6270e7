import { AppError } from '../../../../../contracts/errors.js';
import { numberedSlug } from '../../../../content/slug-field.js';
import { EntryTreeRepository, type EntryPlace } from '../../../routing/tree/index.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

/** Slugs are unique by path in the site's tree, else by site, type and locale. The entry itself is excluded. */
export interface SlugScope {
  readonly siteId: string;
  readonly contentTypeId: string;
  readonly locale: string;
  readonly entryId: string;
  readonly place: EntryPlace | null;
}

export interface PageSlug {
  readonly slug: string;
  readonly scope: SlugScope;
}

/** Numbered slugs checked per statement. */
export const CANDIDATES = 50;

/** Of the lock that serializes writers of a slug. */
export const slugLockKey = (environmentId: string, slug: string, scope: SlugScope): string =>
  `slug:${environmentId}:${scope.siteId}:${scope.contentTypeId}:${scope.locale}:${slug}`;

const candidatesOf = (slug: string): string[] =>
  Array.from({ length: CANDIDATES }, (_, index) => (index === 0 ? slug : numberedSlug(slug, index + 1)));

const lockSlug = { name: 'hold_slug', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' };
const findTakenSlugs = {
  name: 'taken_slugs',
  text: `SELECT slug FROM entry_locales WHERE environment_id = $1 AND site_id = $2 AND content_type_id = $3 AND locale = $4
    AND slug = ANY($5::text[]) AND entry_id <> $6 AND NOT is_deleted AND NOT in_tree`,
};

/** Lock and check are sent together; the connection runs them in order. */
export class SlugRepository extends Repository {
  /** Locks the slug until the end of the transaction. */
  async isTaken(slug: string, scope: SlugScope): Promise<boolean> {
    const [, taken] = await Promise.all([this.#lock(slug, scope), this.#findTaken([slug], scope)]);
    return taken.size > 0;
  }

  /** The slug or the first free `slug-2`, `slug-3`, …; falls back to a suffix of the entry's id. */
  async firstFree(slug: string, scope: SlugScope): Promise<string> {
    // Concurrent units of work that generate the same slug take turns instead of failing.
    if (!(await this.isTaken(slug, scope))) return slug;
    const candidates = candidatesOf(slug);
    const taken = await this.#findTaken(candidates, scope);
    for (const candidate of candidates.filter((one) => !taken.has(one))) {
      // Another transaction may be taking the numbered slug.
      if (!(await this.isTaken(candidate, scope))) return candidate;
    }
    return numberedSlug(slug, scope.entryId);
  }

  /** Without a lock: for an entry whose tree will be locked, where {@link assertFree} follows. */
  async isTakenNow(slug: string, scope: SlugScope): Promise<boolean> {
    return (await this.#findTaken([slug], scope)).size > 0;
  }

  /**
   * As {@link firstFree}, without a lock: {@link assertFree} follows.
   * @param claimed slugs of the same place that are not written yet
   */
  async firstFreeNow(slug: string, scope: SlugScope, claimed: ReadonlySet<string>): Promise<string> {
    const candidates = candidatesOf(slug);
    const taken = await this.#findTaken(candidates, scope);
    return (
      candidates.find((one) => !taken.has(one) && !claimed.has(one)) ?? numberedSlug(slug, scope.entryId)
    );
  }

  /** Locks a slug that was free. If it has been taken since, the unit of work runs again. */
  async assertFree(slug: string, scope: SlugScope): Promise<void> {
    if (await this.isTaken(slug, scope)) throw this.retryFailure();
  }

  /** Why a slug is taken. */
  async refusal(slug: string, { siteId, locale, entryId, place }: SlugScope): Promise<AppError> {
    if (place?.siteId !== siteId) return new AppError('slug_conflict', { slug, locale });
    const { parentId, nodeId } = place;
    const at = { siteId, parentId, locale, entryId, nodeId };
    return new EntryTreeRepository(this.bound).refusal(at, slug);
  }

  /** Which of the chosen slugs of pages are free, each once. Locks them; the number of statements is constant. */
  async freeOfPages<W extends PageSlug>(wanted: readonly W[]): Promise<ReadonlySet<W>> {
    if (wanted.length === 0) return new Set();
    const locks = wanted.map(({ slug, scope }) => slugLockKey(this.environmentId, slug, scope));
    const segments = wanted.map(({ slug: segment, scope: { siteId, locale, entryId, place } }) => ({
      siteId,
      locale,
      entryId,
      segment,
      parentId: place?.parentId ?? null,
      nodeId: place?.nodeId ?? null,
    }));
    const [, taken] = await Promise.all([
      this.holdKeys(locks),
      new EntryTreeRepository(this.bound).areTaken(segments),
    ]);
    const free = wanted.filter((_, index) => taken[index] === false);
    const placeOf = ({ slug, scope: { siteId, locale, place } }: W): string =>
      JSON.stringify([place?.parentId ?? siteId, locale, slug]);
    return new Set([...new Map(free.toReversed().map((one) => [placeOf(one), one])).values()]);
  }

  /** Shorter slugs are locked before longer ones. */
  async #lock(slug: string, scope: SlugScope): Promise<void> {
    await this.query(lockSlug, [slugLockKey(this.environmentId, slug, scope)]);
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
