import { Repository } from '../../../../persistence/repositories/repository.js';
import type { VersionContent } from '../history.repository.js';
import type { StoredEntry, StoredLocale } from '../stored-entry.js';

export interface Publication {
  readonly entry: StoredEntry;
  readonly state: StoredLocale;
  /** Of the document, see `publishedBody`. */
  readonly body: string;
  /** JSON of its own blocks, see `deliverBlocks`. */
  readonly blocks: string | null;
  /** Of a version; the draft's if undefined. */
  readonly content?: VersionContent | undefined;
  /** Now by default. */
  readonly publishedAt?: Date | undefined;
}

/** Locales to unpublish. */
export interface Withdrawal {
  readonly entryId: string;
  readonly locales: readonly string[];
}

/** The values come from the text, so that large documents are sent once. $10 to $14 are null if all are drafts that are published now. */
const publish = {
  name: 'publish_entries',
  text: `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $9::text[], $10::text[], $11::text[], $12::int[], $13::text[],
       $14::timestamptz[]) AS g (entry_id, locale, body, blocks, content_hash, shared_hash, version, slug, at)),
   state AS (
     UPDATE entry_locales l SET published_content_hash = coalesce(g.content_hash, l.content_hash), published_shared_hash = coalesce(g.shared_hash, e.shared_hash),
       published_version = coalesce(g.version, e.version), published_at = coalesce(g.at, $5), first_published_at = coalesce(l.first_published_at, g.at, $5)
     FROM given g JOIN entries e ON e.environment_id = $1 AND e.id = g.entry_id
     WHERE l.environment_id = $1 AND l.entry_id = g.entry_id AND l.locale = g.locale
     RETURNING l.entry_id, l.locale, l.content_type_id, l.site_id, coalesce(g.slug, l.slug) AS slug, l.published_version AS version, e.created_at,
       l.published_at, l.first_published_at),
   noted AS (
     INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by, comment)
     SELECT $6, $1, entry_id, version, locale, 'publish', $5, $7, $8 FROM state)
   INSERT INTO published_entries (environment_id, entry_id, locale, content_type_id, site_id, slug, fields, body, blocks, version,
     created_at, published_at, first_published_at, all_locales)
   SELECT $1, s.entry_id, s.locale, s.content_type_id, s.site_id, s.slug, published_values(g.body), g.body, g.blocks::jsonb, s.version, s.created_at, s.published_at, s.first_published_at,
     (SELECT true FROM content_types t WHERE t.environment_id = $1 AND t.id = s.content_type_id AND NOT t.is_localized)
   FROM state s JOIN given g ON g.entry_id = s.entry_id AND g.locale = s.locale ORDER BY s.entry_id
   ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, fields = excluded.fields,
     own_values = NULL, own_blocks = NULL, body = excluded.body, blocks = excluded.blocks, version = excluded.version, published_at = excluded.published_at`,
};

interface StaleTranslation {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly changedFields: readonly string[];
}

const becameStale = {
  name: 'became_stale',
  text: `SELECT entry_id AS "entryId", content_type_id AS "contentTypeId", site_id AS "siteId", locale, outdated AS "changedFields"
    FROM translations WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND status = 'stale' AND stale_at = $3
    ORDER BY entry_id, locale`,
};

/** Maintains the read model. Each call is one statement, whatever the number of entries. */
export class PublicationRepository extends Repository {
  /** One statement, which the caller need not wait for. */
  publish(publications: readonly Publication[], comment?: string): Promise<unknown> {
    const isPlain = publications.every(
      ({ content, publishedAt }) => content === undefined && publishedAt === undefined,
    );
    const contents = isPlain ? null : publications;
    const written = this.query(publish, [
      this.environmentId,
      publications.map(({ entry }) => entry.id),
      publications.map(({ state }) => state.locale),
      publications.map(({ body }) => body),
      this.bound.now,
      this.tenantId,
      this.#publisher,
      comment || null,
      publications.map(({ blocks }) => blocks),
      contents?.map(({ content }) => content?.contentHash),
      contents?.map(({ content }) => content?.sharedHash),
      contents?.map(({ content }) => content?.version),
      contents?.map(({ content }) => content?.slug),
      contents?.map(({ content, publishedAt }) => content?.restoredAt ?? publishedAt),
    ]);
    this.defer(written);
    return written;
  }

  /**
   * Emits an event for each translation that a published source made stale. Waits for nothing; the events are written
   * with the others.
   */
  noteStale(entryIds: readonly string[], contentTypeNames: ReadonlyMap<string, string>): void {
    if (entryIds.length === 0) return;
    const stale = this.query<StaleTranslation>(becameStale, [
      this.environmentId,
      [...entryIds],
      this.bound.now,
    ]);
    const noted = stale.then((rows) => {
      for (const { contentTypeId, ...translation } of rows)
        this.bound.log.emit({
          type: 'translation.stale',
          data: {
            ...translation,
            contentTypeApiName: contentTypeNames.get(contentTypeId) ?? '',
            status: 'stale',
          },
        });
    });
    this.bound.connection.check(noted);
  }

  /** Drafts stay. */
  async unpublish(withdrawals: readonly Withdrawal[], comment?: string): Promise<void> {
    const rows = withdrawals.flatMap(({ entryId, locales }) =>
      locales.map((locale) => ({ entryId, locale })),
    );
    if (rows.length === 0) return;
    await this.query(
      `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)),
       gone AS (DELETE FROM published_entries p USING given g
         WHERE p.environment_id = $1 AND p.entry_id = g.entry_id AND p.locale = g.locale),
       freed AS (DELETE FROM unique_values u USING given g
         WHERE u.environment_id = $1 AND u.entry_id = g.entry_id AND u.published_locale = g.locale),
       noted AS (
         INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by, comment)
         SELECT $4, $1, l.entry_id, l.published_version, l.locale, 'unpublish', $5, $6, $7
         FROM given g JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = g.entry_id AND l.locale = g.locale
         WHERE l.published_version IS NOT NULL)
       UPDATE entry_locales l SET published_content_hash = NULL, published_shared_hash = NULL, published_version = NULL,
         published_at = NULL
       FROM given g WHERE l.environment_id = $1 AND l.entry_id = g.entry_id AND l.locale = g.locale`,
      [
        this.environmentId,
        rows.map(({ entryId }) => entryId),
        rows.map(({ locale }) => locale),
        this.tenantId,
        this.bound.now,
        this.#publisher,
        comment || null,
      ],
    );
  }

  /** Frees the slugs. */
  async softDelete(entryIds: readonly string[], at: Date, by: object): Promise<void> {
    if (entryIds.length === 0) return;
    await this.query(
      `WITH state AS (UPDATE entry_locales SET is_deleted = true WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]))
       UPDATE entries SET deleted_at = $3, updated_at = $3, updated_by = $4 WHERE environment_id = $1 AND id = ANY($2::uuid[])`,
      [this.environmentId, [...entryIds], at, JSON.stringify(by)],
    );
  }

  get #publisher(): string {
    return JSON.stringify(this.bound.scope.actor);
  }
}
