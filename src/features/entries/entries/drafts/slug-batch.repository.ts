import { numberedSlug } from '../../../../content/slug-field.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { WantedSlug } from './entry-slug.js';
import { CANDIDATES, slugLockKey, type SlugScope } from './slug.repository.js';

interface Slug {
  readonly slug: string;
  readonly scope: SlugScope;
}

const findTakenSlugs = {
  name: 'taken_slugs_of_many',
  text: `SELECT l.site_id AS "siteId", l.content_type_id AS "contentTypeId", l.locale, l.slug, l.entry_id AS "entryId"
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS g (site_id, content_type_id, locale, slug)
      JOIN entry_locales l ON l.environment_id = $1 AND l.site_id = g.site_id AND l.content_type_id = g.content_type_id
        AND l.locale = g.locale AND l.slug = g.slug AND NOT l.is_deleted AND NOT l.in_tree`,
};

const keyOf = ({ slug, scope: { siteId, contentTypeId, locale } }: Slug): string =>
  JSON.stringify([siteId, contentTypeId, locale, slug]);

/** Slugs of several entries that are written together; the number of statements is constant. */
export class SlugBatchRepository extends Repository {
  /**
   * Generated slugs are numbered on conflict; chosen ones that are taken are left out. Locks them until the end of the
   * transaction.
   */
  async resolveFree<W extends WantedSlug>(wanted: readonly W[]): Promise<Map<W, string>> {
    if (wanted.length === 0) return new Map();
    const slugs = wanted.map(({ slug, scope }) => ({ slug, scope }));
    const [, taken] = await Promise.all([this.#lock(wanted), this.#findTaken(slugs)]);
    const contested = contestedAmong(wanted, taken);
    if (contested.length > 0)
      for (const [key, holder] of await this.#findTaken(contested.flatMap(candidatesIn(wanted))))
        taken.set(key, holder);
    const resolved = new Map<W, string>();
    const take = (one: W, slug: string): void => {
      taken.set(keyOf({ ...one, slug }), one.scope.entryId);
      resolved.set(one, slug);
    };
    for (const one of wanted.filter(({ isChosen }) => isChosen))
      if (isFree(taken, one, one.slug)) take(one, one.slug);
    for (const one of wanted.filter(({ isChosen }) => !isChosen)) {
      const free = candidatesIn(wanted)(one).find(({ slug }) => isFree(taken, one, slug));
      take(one, free?.slug ?? numberedSlug(one.slug, one.scope.entryId));
    }
    await this.#confirmNumbered(resolved);
    return resolved;
  }

  /** Other transactions may be taking the numbered slugs. */
  async #confirmNumbered(resolved: Map<WantedSlug, string>): Promise<void> {
    const numbered = [...resolved].filter(([{ slug }, found]) => slug !== found);
    if (numbered.length === 0) return;
    const slugs = numbered.map(([{ scope }, slug]) => ({ slug, scope }));
    const [, taken] = await Promise.all([this.#lock(slugs), this.#findTaken(slugs)]);
    for (const [one, slug] of numbered)
      if (!isFree(taken, one, slug)) resolved.set(one, numberedSlug(one.slug, one.scope.entryId));
  }

  async #lock(slugs: readonly Slug[]): Promise<void> {
    await this.holdKeys(slugs.map(({ slug, scope }) => slugLockKey(this.environmentId, slug, scope)));
  }

  /** Holders by slug. */
  async #findTaken(slugs: readonly Slug[]): Promise<Map<string, string>> {
    const distinct = [...new Map(slugs.map((one) => [keyOf(one), one])).values()];
    const rows = await this.query<SlugScope & { slug: string }>(findTakenSlugs, [
      this.environmentId,
      distinct.map(({ scope }) => scope.siteId),
      distinct.map(({ scope }) => scope.contentTypeId),
      distinct.map(({ scope }) => scope.locale),
      distinct.map(({ slug }) => slug),
    ]);
    return new Map(rows.map(({ slug, ...scope }) => [keyOf({ slug, scope }), scope.entryId]));
  }
}

function isFree(taken: ReadonlyMap<string, string>, { scope }: WantedSlug, slug: string): boolean {
  const holder = taken.get(keyOf({ slug, scope }));
  return holder === undefined || holder === scope.entryId;
}

/** Generated slugs that another entry has or that several entries want: numbered ones are needed. */
function contestedAmong<W extends WantedSlug>(
  wanted: readonly W[],
  taken: ReadonlyMap<string, string>,
): readonly W[] {
  const sharers = Map.groupBy(wanted, keyOf);
  return wanted.filter(
    (one) => !one.isChosen && (!isFree(taken, one, one.slug) || (sharers.get(keyOf(one))?.length ?? 0) > 1),
  );
}

/** The slug itself and, if it was generated, enough numbered ones for all that want it. */
const candidatesIn =
  (wanted: readonly WantedSlug[]) =>
  ({ slug, isChosen, scope }: WantedSlug): Slug[] => {
    if (isChosen) return [{ slug, scope }];
    const count = CANDIDATES + wanted.filter((other) => other.slug === slug).length;
    return Array.from({ length: count }, (_, index) => ({
      slug: index === 0 ? slug : numberedSlug(slug, index + 1),
      scope,
    }));
  };
