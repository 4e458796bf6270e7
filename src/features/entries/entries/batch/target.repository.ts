import { Repository } from '../../../../persistence/repositories/repository.js';
import type { SlugScope } from '../drafts/slug.repository.js';
import type { Applied } from './apply-single.js';

/** A slug in a site, type and locale. */
export type SlugKey = Pick<SlugScope, 'siteId' | 'contentTypeId' | 'locale'> & { readonly slug: string };

export const slugKey = ({ siteId, contentTypeId, locale, slug }: SlugKey): string =>
  [siteId, contentTypeId, locale, slug].join(' ');

interface SlugChange {
  readonly id: string;
  /** Defaults to the site's default locale. */
  readonly locale: string | undefined;
  readonly slug: string;
}

/** A served path is that of the locale, or of one that shows it by fallback. */
const findMoves = {
  name: 'batch_moves_pages',
  text: `SELECT EXISTS (
      SELECT FROM unnest($2::uuid[], $3::text[], $4::text[]) AS g (entry_id, locale, slug)
        JOIN tree_nodes n ON n.environment_id = $1 AND n.entry_id = g.entry_id
        JOIN entries e ON e.environment_id = $1 AND e.id = g.entry_id
        JOIN sites s ON s.tenant_id = n.tenant_id AND s.id = e.site_id
        LEFT JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = g.entry_id
          AND l.locale = coalesce(g.locale, s.default_locale)
      WHERE l.slug IS DISTINCT FROM g.slug AND (
        EXISTS (SELECT FROM tree_nodes c WHERE c.environment_id = $1 AND c.parent_id = n.id AND c.type <> 'link')
        OR EXISTS (SELECT FROM routes r WHERE r.environment_id = $1 AND r.node_id = n.id
          AND r.served_path IS NOT NULL AND CASE WHEN r.locale = coalesce(g.locale, s.default_locale) THEN r.is_live
            ELSE NOT r.is_live AND coalesce(g.locale, s.default_locale) = ANY (locale_chain(s.tenant_id, r.locale, s.locales)) END))
      ) AS "isMove"`,
};

/** Finds the entries that items of a batch name by slug. */
export class TargetRepository extends Repository {
  /** Whether a page in a tree gets another slug, which changes paths of other pages or such that are served. */
  async movesPages(changes: readonly SlugChange[]): Promise<boolean> {
    if (changes.length === 0) return false;
    const columns = [
      changes.map(({ id }) => id),
      changes.map(({ locale }) => locale ?? null),
      changes.map(({ slug }) => slug),
    ];
    const [row] = await this.query<{ isMove: boolean }>(findMoves, [this.environmentId, ...columns]);
    return row?.isMove === true;
  }

  /**
   * Ids of the entries with the slugs, by key; pages may share one. Batches that name the same slugs take turns. The
   * slugs themselves are locked after trees and entries, as by every writer, so another may take one before that.
   */
  async withSlugs(keys: readonly SlugKey[]): Promise<Map<string, string[]>> {
    if (keys.length === 0) return new Map();
    const [, holders] = await Promise.all([
      this.holdKeys(keys.map((key) => `upsert:${this.environmentId}:${slugKey(key)}`)),
      this.#holdersOf(keys),
    ]);
    return holders;
  }

  /**
   * Retries the unit of work if another one has given a slug to an entry, or taken it from one, since
   * {@link withSlugs}.
   * @param own entries that this unit of work changed
   */
  async assertHolders(
    known: ReadonlyMap<string, readonly string[]>,
    keys: readonly SlugKey[],
    own: ReadonlySet<string>,
  ): Promise<void> {
    if (keys.length === 0) return;
    const present = await this.#holdersOf(keys);
    const others = (ids: readonly string[] = []): string =>
      ids
        .filter((id) => !own.has(id))
        .sort()
        .join(' ');
    const isStale = (key: string): boolean => others(known.get(key)) !== others(present.get(key));
    if (keys.map(slugKey).some(isStale)) throw this.retryFailure();
  }

  async #holdersOf(keys: readonly SlugKey[]): Promise<Map<string, string[]>> {
    const columns = [
      keys.map(({ siteId }) => siteId),
      keys.map(({ contentTypeId }) => contentTypeId),
      keys.map(({ locale }) => locale),
      keys.map(({ slug }) => slug),
    ];
    const holders = await this.query<SlugKey & { id: string }>(
      `SELECT DISTINCT l.site_id AS "siteId", l.content_type_id AS "contentTypeId", l.locale, l.slug, l.entry_id AS id
       FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS g (site_id, content_type_id, locale, slug)
         JOIN entry_locales l ON l.environment_id = $1 AND l.site_id = g.site_id AND l.content_type_id = g.content_type_id
           AND l.locale = g.locale AND l.slug = g.slug AND NOT l.is_deleted`,
      [this.environmentId, ...columns],
    );
    const byKey = Map.groupBy(holders, slugKey);
    return new Map([...byKey].map(([key, found]) => [key, found.map(({ id }) => id)]));
  }
}

export class BatchRecordRepository extends Repository {
  /** Records nothing when no entry changed. */
  note(applied: readonly Applied[]): void {
    const changed = applied.filter(({ before, after }) => before !== null || after !== null);
    if (changed.length === 0) return;
    const name = `batch of ${String(changed.length)} ${changed.length === 1 ? 'change' : 'changes'}`;
    this.record({
      action: 'entry.batch',
      target: { type: 'entries', id: this.bound.newId(), name },
      before: { entries: changed.flatMap(({ before }) => before ?? []) },
      after: { entries: changed.flatMap(({ after }) => after ?? []) },
    });
  }
}
