import { AppError } from '../../../contracts/errors.js';
import type { ChangeType } from '../../../contracts/resources/entry-version.js';
import { isUuid } from '../../infrastructure/ids.js';
import { Repository } from '../../persistence/repository.js';
import type { Snapshot } from '../../persistence/unit-of-work.js';
import { EntryTreeRepository, type EntryPlace, type TreeHold } from '../tree/index.js';
import { readableEntries } from '../shared/index.js';
import { isHomeSql, placeSql } from './place-sql.js';
import { scheduledSql } from './scheduled-sql.js';
import type { StoredEntry, StoredLocale } from './stored-entry.js';

/** A link of an entry; `locale` is empty for fields that all locales share. */
export interface LinkRow {
  readonly fieldId: string;
  readonly locale: string;
  readonly targetId: string;
}

/** One content change: what it leaves behind, and the version that records it. */
export interface ContentChange {
  /** The entry after the change, with its new version. */
  readonly entry: StoredEntry;
  /** Locales that are written, one row of the version each; every other one stays as it is. */
  readonly locales: readonly string[];
  readonly changeType: ChangeType;
  readonly changedFields: readonly string[];
  readonly comment: string | null;
  /** The links of these locales and of the shared fields. */
  readonly links: readonly LinkRow[];
}

/** The audit record of a change, as the use case presents it. */
export interface EntryRecord {
  readonly action: string;
  readonly entry: StoredEntry;
  readonly locale: string | null;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
}

const entryColumns = `id, content_type_id AS "contentTypeId", site_id AS "siteId", version, shared_fields AS "sharedFields",
  shared_hash AS "sharedHash", created_at AS "createdAt", created_by AS "createdBy", updated_at AS "updatedAt",
  updated_by AS "updatedBy", deleted_at AS "deletedAt", ${isHomeSql('entries')} AS "isHome"`;
const localeColumns = `locale, slug, title, fields, content_hash AS "contentHash", published_content_hash AS "publishedContentHash",
  published_shared_hash AS "publishedSharedHash", published_version AS "publishedVersion", published_at AS "publishedAt",
  first_published_at AS "firstPublishedAt", updated_at AS "updatedAt", ${scheduledSql('entry_locales')} AS scheduled`;

/** Entry, locales, version and links in one statement: one round trip, whatever their number. */
const writeStatement = (entryStatement: string): string =>
  `WITH entry AS (${entryStatement}),
       given AS (
         SELECT locale, slug, title, fields FROM jsonb_to_recordset($10::jsonb) AS g(locale text, slug text, title text, fields jsonb)),
       known AS (SELECT locale, created_at FROM entry_locales WHERE environment_id = $2 AND entry_id = $3),
       shown AS (
         SELECT locale FROM (SELECT locale, created_at FROM known UNION ALL
           SELECT locale, $8 FROM given WHERE locale NOT IN (SELECT locale FROM known)) AS all_locales
         ORDER BY locale = (SELECT default_locale FROM sites WHERE tenant_id = $1 AND id = $5) DESC, created_at, locale LIMIT 1),
       state AS (
         INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, in_tree,
           shared_hash, is_shown, created_at, updated_at)
         SELECT $1, $2, $3, locale, $4, $5, slug, title, fields, $15, md5($7::jsonb::text), locale = (SELECT locale FROM shown), $8, $8
         FROM given
         ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, title = excluded.title,
           fields = excluded.fields, shared_hash = excluded.shared_hash, is_shown = excluded.is_shown, updated_at = excluded.updated_at
         RETURNING locale, content_hash),
       others AS (
         UPDATE entry_locales l SET shared_hash = md5($7::jsonb::text), is_shown = l.locale = (SELECT locale FROM shown)
         WHERE l.environment_id = $2 AND l.entry_id = $3 AND l.locale NOT IN (SELECT locale FROM given)
           AND (l.shared_hash <> md5($7::jsonb::text) OR l.is_shown <> (l.locale = (SELECT locale FROM shown)))),
       version AS (
         INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields,
           shared_fields, changed_fields, comment, created_at, created_by)
         SELECT $1, $2, $3, $6, locale, $11, slug, fields, $7, $12::text[], $13, $8, $9 FROM given),
       links AS (
         SELECT (link ->> 'fieldId')::uuid AS field_id, link ->> 'locale' AS locale, (link ->> 'targetId')::uuid AS target_id
         FROM jsonb_array_elements($14::jsonb) AS link),
       unlinked AS (
         DELETE FROM entry_links k WHERE k.environment_id = $2 AND k.entry_id = $3
           AND (k.locale = '' OR k.locale IN (SELECT locale FROM given))
           AND NOT EXISTS (SELECT FROM links l WHERE l.field_id = k.field_id AND l.locale = k.locale AND l.target_id = k.target_id)),
       linked AS (
         INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id)
         SELECT $1, $2, $3, locale, field_id, target_id FROM links ON CONFLICT DO NOTHING)
       SELECT (SELECT shared_hash FROM entry) AS "sharedHash",
         (SELECT jsonb_object_agg(locale, content_hash) FROM state) AS "contentHashes"`;

/** Whether paths keep the entry's slugs apart from others. */
const isInTree = ({ place, siteId }: StoredEntry): boolean => place?.siteId === siteId;

const slugTaken = { entry_locales_slug_key: () => new AppError('slug_conflict') };

/** The only place that writes entries, their locales, versions and links. */
export class EntryRepository extends Repository {
  /** @throws AppError 404 `entry_not_found`; a deleted entry is found where `deleted` says so */
  async find(id: string, deleted = false): Promise<StoredEntry> {
    const [entry] = await this.#load([id], '');
    if (entry === undefined || (entry.deletedAt !== null && !deleted)) throw new AppError('entry_not_found');
    return entry;
  }

  /**
   * Those of the entries of which nothing is seen where the first of the locales is asked for, although it
   * is written in that one or in a fallback.
   * @param locales a chain of fallbacks
   */
  async findOffline(
    ids: readonly string[],
    locales: readonly string[],
    limit: number,
  ): Promise<StoredEntry[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT e.id FROM entries e WHERE e.environment_id = $1 AND e.id = ANY($2::uuid[]) AND e.deleted_at IS NULL AND EXISTS (
         SELECT FROM entry_locales l WHERE l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = ANY($3::text[])
           AND NOT EXISTS (SELECT FROM entry_locales p WHERE p.environment_id = e.environment_id AND p.entry_id = e.id
             AND p.locale = ANY($3::text[]) AND p.published_at IS NOT NULL AND (l.locale <> ($3::text[])[1] OR p.locale = l.locale)))
       ORDER BY e.id LIMIT $4`,
      [this.environmentId, [...ids], [...locales], limit],
    );
    return this.#load(
      rows.map(({ id }) => id),
      '',
    );
  }

  /** The entry, which nobody else changes until the end of this work. */
  async lock(id: string, hold: TreeHold = 'shared'): Promise<StoredEntry> {
    const [entry] = (await this.lockAll([id], hold)).values();
    if (entry === undefined) throw new AppError('entry_not_found');
    return entry;
  }

  /**
   * Those of the entries that exist and are not deleted, by id; locked in the order of their ids, so that
   * two works never wait crosswise. Their trees are held first.
   */
  async lockAll(ids: readonly string[], hold: TreeHold = 'shared'): Promise<Map<string, StoredEntry>> {
    const trees = new EntryTreeRepository(this.bound);
    await trees.hold(ids.filter(isUuid), hold);
    const entries = await this.#load(ids, 'FOR UPDATE');
    trees.assertHeld(entries, hold);
    return new Map(entries.filter(({ deletedAt }) => deletedAt === null).map((entry) => [entry.id, entry]));
  }

  /**
   * A deleted entry, locked; one that is not deleted is answered as it stands.
   * @throws AppError 404 `entry_not_found`
   */
  async lockDeleted(id: string): Promise<StoredEntry> {
    const [entry] = await this.#load([id], 'FOR UPDATE');
    if (entry === undefined) throw new AppError('entry_not_found');
    return entry;
  }

  /** Takes the mark of deletion off and puts the entry in its place; the slugs must be free there. */
  async undelete(entry: StoredEntry): Promise<void> {
    const { id, updatedAt, updatedBy } = entry;
    const written = this.query(
      `WITH state AS (UPDATE entry_locales SET is_deleted = false, in_tree = $5 WHERE environment_id = $1 AND entry_id = $2)
       UPDATE entries SET deleted_at = NULL, updated_at = $3, updated_by = $4 WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, id, updatedAt, JSON.stringify(updatedBy), isInTree(entry)],
    );
    await this.guarded(written, slugTaken);
    await this.#enterTree(entry);
  }

  /** Lets only one work at a time make an entry of a type that may have one per site. */
  async holdSingleton(contentTypeId: string, siteId: string): Promise<boolean> {
    const key = `singleton:${this.environmentId}:${contentTypeId}:${siteId}`;
    await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    const rows = await this.query(
      'SELECT 1 FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND site_id = $3 AND deleted_at IS NULL LIMIT 1',
      [this.environmentId, contentTypeId, siteId],
    );
    return rows.length === 0;
  }

  /** Writes a new entry with its locales, version, links and place; answers it with the database's marks. */
  async insert(change: ContentChange): Promise<StoredEntry> {
    const { entry } = change;
    const written = await this.#write(
      change,
      `INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version,
        shared_fields, created_at, created_by, updated_at, updated_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $9) RETURNING shared_hash`,
      [entry.createdAt, entry.createdBy],
    );
    await this.#enterTree(written);
    return written;
  }

  /** Writes changed locales and the shared fields, with version and links; paths follow the slugs. */
  async save(change: ContentChange): Promise<StoredEntry> {
    const { entry } = change;
    const written = await this.#write(
      change,
      `UPDATE entries SET version = $6, shared_fields = $7, updated_at = $8, updated_by = $9
      WHERE tenant_id = $1 AND environment_id = $2 AND id = $3 AND content_type_id = $4 AND site_id = $5 RETURNING shared_hash`,
      [entry.updatedAt, entry.updatedBy],
    );
    await new EntryTreeRepository(this.bound).follow([written]);
    return written;
  }

  /** Notes one change for the audit record. */
  note({ action, entry, locale, before, after }: EntryRecord): void {
    const name =
      (entry.locales.find((state) => state.locale === locale) ?? entry.locales[0])?.title ?? entry.id;
    this.record({
      action,
      target: { type: 'entry', id: entry.id, name },
      before,
      after,
      siteId: entry.siteId,
      locale,
    });
  }

  async #load(ids: readonly string[], lock: string): Promise<StoredEntry[]> {
    const known = ids.filter(isUuid);
    if (known.length === 0) return [];
    const bind: unknown[] = [this.environmentId, known];
    // What the actor may not read does not exist for them, whatever they want of it.
    const readable = readableEntries(this.bound.scope, 'entries', (value) => `$${String(bind.push(value))}`);
    const visible = readable === null ? '' : `AND ${readable}`;
    const entries = await this.query<Omit<StoredEntry, 'locales' | 'place'>>(
      `SELECT ${entryColumns} FROM entries WHERE environment_id = $1 AND id = ANY($2::uuid[]) ${visible} ORDER BY id ${lock}`,
      bind,
    );
    if (entries.length === 0) return [];
    // A statement of its own: after waiting for the lock it must see what the other writer left.
    const locales = await this.prepared<StoredLocale & { entryId: string; place: EntryPlace | null }>(
      `SELECT entry_id AS "entryId", ${localeColumns},
         ${placeSql('entry_locales.environment_id', 'entry_locales.entry_id')} AS place FROM entry_locales
       WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) ORDER BY created_at, locale`,
      [this.environmentId, entries.map(({ id }) => id)],
    );
    const byEntry = Map.groupBy(locales, ({ entryId }) => entryId);
    return entries.map((entry) => ({
      ...entry,
      place: byEntry.get(entry.id)?.[0]?.place ?? null,
      locales: (byEntry.get(entry.id) ?? []).map(({ entryId: _id, place: _place, ...state }) => state),
    }));
  }

  async #enterTree(entry: StoredEntry): Promise<void> {
    await new EntryTreeRepository(this.bound).enter(entry);
  }

  /** @param entryStatement writes the row of `entries`; $1 to $9 are common to both forms */
  async #write(
    change: ContentChange,
    entryStatement: string,
    [at, by]: [Date, object],
  ): Promise<StoredEntry> {
    const { entry } = change;
    const given = entry.locales.filter(({ locale }) => change.locales.includes(locale));
    if (given.length !== change.locales.length) throw new Error('a change of a locale that the entry lacks');
    const bind = [
      this.tenantId,
      this.environmentId,
      entry.id,
      entry.contentTypeId,
      entry.siteId,
      entry.version,
      JSON.stringify(entry.sharedFields),
      at,
      JSON.stringify(by),
      JSON.stringify(given.map(({ locale, slug, title, fields }) => ({ locale, slug, title, fields }))),
      change.changeType,
      [...change.changedFields],
      change.comment,
      JSON.stringify(change.links),
      isInTree(entry),
    ];
    const written = this.prepared<{ sharedHash: string; contentHashes: Record<string, string> }>(
      writeStatement(entryStatement),
      bind,
    );
    const [marks] = await this.guarded(written, slugTaken);
    if (marks === undefined) throw new Error('nothing was written');
    const locales = entry.locales.map((state) => ({
      ...state,
      contentHash: marks.contentHashes[state.locale] ?? state.contentHash,
    }));
    return { ...entry, sharedHash: marks.sharedHash, locales };
  }
}
