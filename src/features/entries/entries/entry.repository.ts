import type { AuditAction } from '../../../../contracts/change-names.js';
import { AppError } from '../../../../contracts/errors.js';
import type { ChangeType } from '../../../../contracts/entries/entries/entry-version.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import { EntryTreeRepository, type EntryPlace, type TreeLockMode } from '../../routing/tree/index.js';
import { readableEntries } from '../../shared/readable-entries.js';
import { type AnchoredValues, noValues, readParameter, type ValuesRead } from './anchored-values.js';
import { entryColumns, isReadSql, readFields, readLocales, readVersions } from './read-entry-sql.js';
import { fieldsOf, localeOf, withLocale, type StoredEntry, type StoredLocale } from './stored-entry.js';
import { insertEntry, saveEntry } from './write-entry-sql.js';

/** `locale` is empty for shared fields. */
export interface LinkRow {
  readonly fieldId: string;
  readonly locale: string;
  readonly targetId: string;
  /** Whether the target is an asset. */
  readonly isMedia: boolean;
}

/** A content change and the version that records it. */
export interface ContentChange {
  readonly entry: StoredEntry;
  /** Locales to write, one version row each. */
  readonly locales: readonly string[];
  readonly changeType: ChangeType;
  readonly changedFields: readonly string[];
  readonly comment: string | null;
  readonly links: readonly LinkRow[];
}

export interface SavedEntry {
  readonly entry: StoredEntry;
  /** Of comments in its text, which the caller moves; null without any. */
  readonly anchored: AnchoredValues | null;
}

interface SavedMarks extends Pick<SavedEntry, 'anchored'> {
  readonly sharedHash: string;
  readonly contentHashes: Readonly<Record<string, string>>;
}

/** Records of what no preview shows. */
const unseen: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'entry.adopt_schedule',
  'entry.assign',
  'entry.import',
  'entry.schedule_canceled',
  'entry.preview',
  'entry.reschedule',
  'entry.schedule',
  'entry.transition',
]);

export interface EntryRecord {
  readonly action: AuditAction;
  readonly entry: StoredEntry;
  readonly locale: string | null;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  /** Whether it was changed along with what the call names. */
  readonly isAlong?: boolean;
}

/** In its site's tree, slugs are unique by path. */
export const isInTree = ({ place, siteId }: StoredEntry): boolean => place?.siteId === siteId;

/** What a write stores of a locale; the state and assignee only of a new one. */
export const writtenLocale = (state: StoredLocale) => {
  const { locale, slug, title, workflowState, assigneeId, dueAt } = state;
  return { locale, slug, title, fields: fieldsOf(state), workflowState, assigneeId, dueAt };
};

/** Of slugs and external ids, which are looked up before. */
export const keyErrors = {
  entry_locales_slug_key: () => new AppError('slug_conflict'),
  entries_external_id_key: () => new AppError('external_id_conflict'),
};

/** With `EntryBatchRepository` the only place that writes entries, their locales, versions and links. */
export class EntryRepository extends Repository {
  /**
   * @param deleted also finds deleted entries
   * @throws AppError 404 `entry_not_found`
   */
  async find(id: string, values: ValuesRead, deleted = false): Promise<StoredEntry> {
    const [entry] = await this.#load([id], values);
    if (entry === undefined) throw await this.missing(id);
    if (entry.deletedAt !== null && !deleted) throw new AppError('entry_not_found');
    return entry;
  }

  /**
   * Existing entries by id, each as of one version. Neither they nor their trees are locked; if one is changed while
   * it is read, the unit of work runs again.
   */
  async readAll(ids: readonly string[], values: ValuesRead): Promise<Map<string, StoredEntry>> {
    const [entries, current] = await Promise.all([
      this.#load(ids, values),
      // The connection sends statements in order: an equal version after the locales were read is that of the locales.
      this.query<Pick<StoredEntry, 'id' | 'version'>>(readVersions, [this.environmentId, ids.filter(isUuid)]),
    ]);
    const versions = new Map(current.map(({ id, version }) => [id, version]));
    if (entries.some(({ id, version }) => versions.get(id) !== version)) throw this.retryFailure();
    return new Map(entries.filter(({ deletedAt }) => deletedAt === null).map((entry) => [entry.id, entry]));
  }

  async lock(id: string, values: ValuesRead): Promise<StoredEntry> {
    const [entry] = (await this.lockAll([id], values)).values();
    if (entry === undefined) throw await this.missing(id);
    return entry;
  }

  /** The failure for an id without an entry: it names the owner of a block, if the caller may read that. */
  async missing(id: string): Promise<AppError> {
    if (!isUuid(id)) return new AppError('entry_not_found');
    const text = 'SELECT entry_id AS id FROM owned_blocks WHERE environment_id = $1 AND id = $2';
    const owners = await this.query<{ id: string }>(text, [this.environmentId, id]);
    const ids = owners.map((found) => found.id);
    const [owner] = await this.#load(ids, noValues);
    return new AppError('entry_not_found', owner?.deletedAt === null ? { ownerId: owner.id } : undefined);
  }

  /**
   * Entries that are locked, or read in one snapshot, with the values of a locale each. Sends no statement if they were
   * read with the entries.
   */
  async complete(
    places: readonly { readonly entry: StoredEntry; readonly locale: string }[],
  ): Promise<StoredEntry[]> {
    const missing = places.filter(({ entry, locale }) => localeOf(entry, locale)?.fields === null);
    if (missing.length === 0) return places.map(({ entry }) => entry);
    const rows = await this.query<Pick<StoredLocale, 'locale' | 'fields'> & { entryId: string }>(readFields, [
      this.environmentId,
      missing.map(({ entry }) => entry.id),
      missing.map(({ locale }) => locale),
    ]);
    const read = new Map(rows.map(({ entryId, locale, fields }) => [`${entryId} ${locale}`, fields]));
    return places.map(({ entry, locale }) => {
      const state = localeOf(entry, locale);
      const fields = read.get(`${entry.id} ${locale}`);
      return state === undefined || fields === undefined ? entry : withLocale(entry, { ...state, fields });
    });
  }

  /** What the transaction changes from here on is found at once, with everything else of it. */
  async indexTogether(): Promise<void> {
    await this.query("SELECT set_config('headwater.search_batch', gen_random_uuid()::text, true)");
  }

  /** Existing entries by id, locked in id order to prevent deadlocks; their trees are locked first. */
  async lockAll(
    ids: readonly string[],
    values: ValuesRead,
    mode: TreeLockMode = 'shared',
  ): Promise<Map<string, StoredEntry>> {
    const trees = new EntryTreeRepository(this.bound);
    // The connection sends statements in order, so locks are taken in order.
    const [, entries] = await Promise.all([
      trees.lockTreesOf(ids.filter(isUuid), mode),
      this.#load(ids, values, 'FOR UPDATE'),
    ]);
    trees.assertLocked(entries, mode);
    return new Map(entries.filter(({ deletedAt }) => deletedAt === null).map((entry) => [entry.id, entry]));
  }

  /**
   * Locks the entry, deleted or not, with all values.
   * @throws AppError 404 `entry_not_found`
   */
  async lockDeleted(id: string): Promise<StoredEntry> {
    const [entry] = await this.#load([id], 'all', 'FOR UPDATE');
    if (entry === undefined) throw new AppError('entry_not_found');
    return entry;
  }

  /** Restores the entry at its place; its slugs must be free there. */
  async undelete(entry: StoredEntry): Promise<void> {
    const { id, updatedAt, updatedBy } = entry;
    const written = this.query(
      `WITH state AS (UPDATE entry_locales l SET is_deleted = false, in_tree = $5
           WHERE l.environment_id = $1 AND l.entry_id = $2 AND ${isReadSql('l')})
       UPDATE entries SET deleted_at = NULL, updated_at = $3, updated_by = $4 WHERE environment_id = $1 AND id = $2`,
      [this.environmentId, id, updatedAt, JSON.stringify(updatedBy), isInTree(entry)],
    );
    await this.mapViolations(written, keyErrors);
    await this.#insertNode(entry);
  }

  /** As {@link insertRows}, and places the entry; its tree must be locked. */
  async insert(change: ContentChange): Promise<void> {
    this.insertRows(change);
    await this.#insertNode(change.entry);
  }

  /** Without its tree node. Does not wait for the write; a new draft has no published state to compare. */
  insertRows(change: ContentChange): void {
    const { entry } = change;
    const values = this.#valuesOf(change, [entry.createdAt, entry.createdBy]);
    const written = this.query(insertEntry, [...values, entry.externalId]);
    this.defer(this.mapViolations(written, keyErrors));
  }

  /** Writes locales, shared fields, version and links, and refreshes paths. */
  async save(change: ContentChange): Promise<SavedEntry> {
    const { entry } = change;
    const saved = this.query<SavedMarks>(
      saveEntry,
      this.#valuesOf(change, [entry.updatedAt, entry.updatedBy]),
    );
    const [marks] = await this.mapViolations(saved, keyErrors);
    if (marks === undefined) throw new Error('Entry was not saved');
    const locales = entry.locales.map((state) => ({
      ...state,
      contentHash: marks.contentHashes[state.locale] ?? state.contentHash,
    }));
    const written = { ...entry, sharedHash: marks.sharedHash, locales };
    await new EntryTreeRepository(this.bound).refreshPaths([written], change.locales);
    return { entry: written, anchored: marks.anchored };
  }

  note({ entry, ...change }: EntryRecord): void {
    const { locale } = change;
    const name = ((locale !== null && localeOf(entry, locale)) || entry.locales[0])?.title ?? entry.id;
    const { id, siteId, version } = entry;
    this.record({ ...change, target: { type: 'entry', id, name }, siteId });
    if (unseen.has(change.action)) return;
    const { environmentId } = this;
    this.bound.log.touch({ environmentId, siteId, entryId: id, locale, version });
  }

  async #load(
    ids: readonly string[],
    values: ValuesRead,
    lock: 'FOR UPDATE' | '' = '',
  ): Promise<StoredEntry[]> {
    const known = ids.filter(isUuid);
    if (known.length === 0) return [];
    const bind: unknown[] = [this.environmentId, known];
    // Entries the actor cannot read do not exist for any operation.
    const readable = readableEntries(this.bound.scope, 'entries', (value) => `$${String(bind.push(value))}`);
    const visible = readable === null ? '' : `AND ${readable}`;
    const text = `SELECT ${entryColumns} FROM entries WHERE environment_id = $1 AND id = ANY($2::uuid[]) ${visible} ORDER BY id ${lock}`;
    const name = lock === '' ? 'read_entries' : 'lock_entries';
    // Separate statement: after waiting for the lock it must see the other transaction's changes.
    const [entries, locales] = await Promise.all([
      this.query<Omit<StoredEntry, 'locales' | 'place'>>(visible === '' ? { name, text } : text, bind),
      this.query<StoredLocale & { entryId: string; place: EntryPlace | null }>(readLocales, [
        this.environmentId,
        known,
        readParameter(known, values),
      ]),
    ]);
    const byEntry = Map.groupBy(locales, ({ entryId }) => entryId);
    return entries.map((entry) => ({
      ...entry,
      place: byEntry.get(entry.id)?.[0]?.place ?? null,
      locales: (byEntry.get(entry.id) ?? []).map(({ entryId: _id, place: _place, ...state }) => state),
    }));
  }

  async #insertNode(entry: StoredEntry): Promise<void> {
    await new EntryTreeRepository(this.bound).insert(entry);
  }

  /** Parameters of {@link insertEntry} and {@link saveEntry}. */
  #valuesOf(change: ContentChange, [at, by]: [Date, object]): unknown[] {
    const { entry } = change;
    const given = entry.locales.filter(({ locale }) => change.locales.includes(locale));
    if (given.length !== change.locales.length) throw new Error('Changed locale is missing from the entry');
    return [
      this.tenantId,
      this.environmentId,
      entry.id,
      entry.contentTypeId,
      entry.siteId,
      entry.version,
      JSON.stringify(entry.sharedFields),
      at,
      JSON.stringify(by),
      JSON.stringify(given.map(writtenLocale)),
      change.changeType,
      [...change.changedFields],
      change.comment,
      JSON.stringify(change.links),
      isInTree(entry),
    ];
  }
}
