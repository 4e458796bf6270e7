import { AppError } from '../../../contracts/errors.js';
import type { FieldValues } from '../../content/validate-fields.js';
import { isUuid } from '../../infrastructure/ids.js';
import { Repository } from '../../persistence/repository.js';
import type { Snapshot } from '../../persistence/unit-of-work.js';
import type { StoredEntry, StoredLocale } from './stored-entry.js';

/** A link of an entry; `locale` is empty for fields that all locales share. */
export interface LinkRow {
  readonly fieldId: string;
  readonly locale: string;
  readonly targetId: string;
}

/** One content change of one locale: what it leaves behind, and the version that records it. */
export interface ContentChange {
  /** The entry after the change, with its new version. */
  readonly entry: StoredEntry;
  readonly locale: string;
  readonly changeType: 'create' | 'update';
  readonly changedFields: readonly string[];
  readonly comment: string | null;
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
  updated_by AS "updatedBy", deleted_at AS "deletedAt"`;
const localeColumns = `locale, slug, title, fields, content_hash AS "contentHash", published_content_hash AS "publishedContentHash",
  published_shared_hash AS "publishedSharedHash", published_version AS "publishedVersion", published_at AS "publishedAt",
  first_published_at AS "firstPublishedAt", updated_at AS "updatedAt"`;

/** Entry, locale, version and links in one statement: one round trip, whatever the number of links. */
const writeStatement = (entryStatement: string): string =>
  `WITH entry AS (${entryStatement}),
       state AS (
         INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, created_at, updated_at)
         VALUES ($1, $2, $3, $10, $4, $5, $11, $12, $13, $8, $8)
         ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, title = excluded.title,
           fields = excluded.fields, updated_at = excluded.updated_at
         RETURNING content_hash),
       version AS (
         INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields,
           shared_fields, changed_fields, comment, created_at, created_by)
         VALUES ($1, $2, $3, $6, $10, $14, $11, $13, $7, $15, $16, $8, $9)),
       links AS (
         SELECT (link ->> 'fieldId')::uuid AS field_id, link ->> 'locale' AS locale, (link ->> 'targetId')::uuid AS target_id
         FROM jsonb_array_elements($17::jsonb) AS link),
       unlinked AS (
         DELETE FROM entry_links k WHERE k.environment_id = $2 AND k.entry_id = $3 AND k.locale IN ('', $10)
           AND NOT EXISTS (SELECT FROM links l WHERE l.field_id = k.field_id AND l.locale = k.locale AND l.target_id = k.target_id)),
       linked AS (
         INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id)
         SELECT $1, $2, $3, locale, field_id, target_id FROM links ON CONFLICT DO NOTHING)
       SELECT (SELECT shared_hash FROM entry) AS "sharedHash", (SELECT content_hash FROM state) AS "contentHash"`;

const slugTaken = { entry_locales_slug_key: () => new AppError('slug_conflict') };

/** The only place that writes entries, their locales, versions and links. */
export class EntryRepository extends Repository {
  /** @throws AppError 404 `entry_not_found`; a deleted entry is found where `deleted` says so */
  async find(id: string, deleted = false): Promise<StoredEntry> {
    return this.#load(id, { deleted, lock: '' });
  }

  /** The entry, which nobody else changes until the end of this work. */
  async lock(id: string): Promise<StoredEntry> {
    return this.#load(id, { deleted: false, lock: 'FOR NO KEY UPDATE' });
  }

  /** The entry, which nobody else changes, nor publishes a link to that holds it, until the end of this work. */
  async lockForRemoval(id: string): Promise<StoredEntry> {
    return this.#load(id, { deleted: false, lock: 'FOR UPDATE' });
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

  /** Writes a new entry with its first locale, version and links; answers it with the database's marks. */
  async insert(change: ContentChange): Promise<StoredEntry> {
    const { entry } = change;
    return this.#write(
      change,
      `INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version,
        shared_fields, created_at, created_by, updated_at, updated_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $9) RETURNING shared_hash`,
      [entry.createdAt, entry.createdBy],
    );
  }

  /** Writes a changed locale and the shared fields, with version and links. */
  async save(change: ContentChange): Promise<StoredEntry> {
    const { entry } = change;
    return this.#write(
      change,
      `UPDATE entries SET version = $6, shared_fields = $7, updated_at = $8, updated_by = $9
      WHERE tenant_id = $1 AND environment_id = $2 AND id = $3 AND content_type_id = $4 AND site_id = $5 RETURNING shared_hash`,
      [entry.updatedAt, entry.updatedBy],
    );
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

  /** Values of a locale as an earlier version left them; null where it had none. */
  async valuesAt(entryId: string, version: number, locale: string): Promise<FieldValues | null> {
    const [row] = await this.query<{ values: FieldValues }>(
      `SELECT (SELECT shared_fields FROM entry_versions WHERE environment_id = $1 AND entry_id = $2 AND version_num <= $3
           ORDER BY version_num DESC LIMIT 1) || fields AS values
       FROM entry_versions WHERE environment_id = $1 AND entry_id = $2 AND version_num <= $3 AND locale = $4
       ORDER BY version_num DESC LIMIT 1`,
      [this.environmentId, entryId, version, locale],
    );
    return row?.values ?? null;
  }

  async #load(id: string, { deleted, lock }: { deleted: boolean; lock: string }): Promise<StoredEntry> {
    const bind = [this.environmentId, id];
    const [entry] = isUuid(id)
      ? await this.query<StoredEntry>(
          `SELECT ${entryColumns} FROM entries WHERE environment_id = $1 AND id = $2 ${lock}`,
          bind,
        )
      : [];
    if (entry === undefined || (entry.deletedAt !== null && !deleted)) throw new AppError('entry_not_found');
    // A statement of its own: after waiting for the lock it must see what the other writer left.
    const locales = await this.query<StoredLocale>(
      `SELECT ${localeColumns} FROM entry_locales WHERE environment_id = $1 AND entry_id = $2 ORDER BY created_at, locale`,
      bind,
    );
    return { ...entry, locales };
  }

  /** @param entryStatement writes the row of `entries`; $1 to $9 are common to both forms */
  async #write(
    change: ContentChange,
    entryStatement: string,
    [at, by]: [Date, object],
  ): Promise<StoredEntry> {
    const { entry } = change;
    const state = entry.locales.find(({ locale }) => locale === change.locale);
    if (state === undefined) throw new Error('a change of a locale that the entry lacks');
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
      change.locale,
      state.slug,
      state.title,
      JSON.stringify(state.fields),
      change.changeType,
      [...change.changedFields],
      change.comment,
      JSON.stringify(change.links),
    ];
    const written = this.query<{ sharedHash: string; contentHash: string }>(
      writeStatement(entryStatement),
      bind,
    );
    const [marks] = await this.guarded(written, slugTaken);
    if (marks === undefined) throw new Error('nothing was written');
    const locales = entry.locales.map((known) =>
      known === state ? { ...known, contentHash: marks.contentHash } : known,
    );
    return { ...entry, sharedHash: marks.sharedHash, locales };
  }
}
