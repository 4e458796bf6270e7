import type { StoredEntry } from './stored-entry.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import {
  isInTree,
  keyErrors,
  writtenLocale,
  type ContentChange,
  type LinkRow,
  type SavedEntry,
} from './entry.repository.js';
import { anchoredSql, keptFields, keptSql } from './write-entry-sql.js';

/**
 * Parameters of both statements: `$1` tenant, `$2` environment, `$3` time, `$4` actor, `$5` entries, each with one
 * locale, `$6` their links.
 */
const given = `given AS (
    SELECT * FROM jsonb_to_recordset($5::jsonb) AS g(id uuid, type uuid, site uuid, version integer, shared jsonb, locale text,
      slug text, title text, fields jsonb, "workflowState" text, "assigneeId" uuid, "dueAt" timestamptz, "inTree" boolean, "changeType" text, "changedFields" jsonb,
      comment text, "externalId" text))`;
const links = `links AS (
    SELECT "entryId" AS entry_id, "fieldId" AS field_id, locale, "targetId" AS target_id, "isMedia" AS is_media
    FROM jsonb_to_recordset($6::jsonb) AS k("entryId" uuid, "fieldId" uuid, locale text, "targetId" uuid, "isMedia" boolean))`;
const state = (
  isShown: string,
): string => `INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id,
      site_id, slug, title, fields, in_tree, shared_hash, is_shown, created_at, updated_at, workflow_state, assignee_id, due_at)
    SELECT $1, $2, g.id, g.locale, g.type, g.site, g.slug, g.title, g.fields, g."inTree", md5(g.shared::text), ${isShown}, $3, $3,
      g."workflowState", g."assigneeId", g."dueAt"
    FROM given g`;
const version = `version AS (
    INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields,
      shared_fields, changed_fields, comment, created_at, created_by)
    SELECT $1, $2, id, version, locale, "changeType", slug, fields, shared,
      ARRAY(SELECT jsonb_array_elements_text("changedFields")), comment, $3, $4 FROM given)`;
const linked = `INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
    SELECT $1, $2, entry_id, locale, field_id, target_id, is_media FROM links ON CONFLICT DO NOTHING`;

/** New entries. */
const insertEntries = {
  name: 'insert_entries',
  text: `WITH ${given},
  entry AS (
    INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at,
      created_by, updated_at, updated_by, external_id)
    SELECT $1, $2, id, type, site, version, shared, $3, $4, $3, $4, "externalId" FROM given),
  state AS (${state('true')}),
  ${version},
  ${links}
  ${linked}`,
};

const keepFacts = {
  name: 'keep_source_facts',
  text: `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb)
      AS g(id uuid, "createdAt" timestamptz, "updatedAt" timestamptz, "createdBy" jsonb)),
    states AS (UPDATE entry_locales l SET created_at = g."createdAt", updated_at = g."updatedAt"
      FROM given g WHERE l.environment_id = $1 AND l.entry_id = g.id)
    UPDATE entries e SET created_at = g."createdAt", updated_at = g."updatedAt", created_by = g."createdBy"
    FROM given g WHERE e.environment_id = $1 AND e.id = g.id`,
};

/** A new locale is the shown one only if it is the default of the site: others exist. */
const saveEntries = {
  name: 'save_entries',
  text: `WITH ${given},
  entry AS (
    UPDATE entries e SET version = g.version, shared_fields = ${keptSql('e.shared_fields', 'g.shared')}, updated_at = $3, updated_by = $4
    FROM given g WHERE e.tenant_id = $1 AND e.environment_id = $2 AND e.id = g.id RETURNING e.id, e.shared_hash),
  state AS (
    ${state('g.locale = s.default_locale')} JOIN sites s ON s.tenant_id = $1 AND s.id = g.site
    ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, title = excluded.title,
      fields = ${keptFields}, shared_hash = excluded.shared_hash, updated_at = excluded.updated_at
    RETURNING entry_id, content_hash),
  others AS (
    UPDATE entry_locales l SET shared_hash = md5(g.shared::text), is_shown = l.is_shown AND g.locale <> s.default_locale
    FROM given g JOIN sites s ON s.tenant_id = $1 AND s.id = g.site
    WHERE l.environment_id = $2 AND l.entry_id = g.id AND l.locale <> g.locale
      AND (l.shared_hash <> md5(g.shared::text) OR (l.is_shown AND g.locale = s.default_locale))),
  ${version},
  ${links},
  unlinked AS (
    DELETE FROM entry_links k USING given g WHERE k.environment_id = $2 AND k.entry_id = g.id AND k.locale IN ('', g.locale)
      AND NOT EXISTS (SELECT FROM links l WHERE l.entry_id = k.entry_id AND l.field_id = k.field_id AND l.locale = k.locale
        AND l.target_id = k.target_id)),
  linked AS (${linked})
  SELECT e.id, e.shared_hash AS "sharedHash", s.content_hash AS "contentHash", ${anchoredSql('e.id', 'SELECT g.locale FROM given g WHERE g.id = e.id')} AS anchored FROM entry e JOIN state s ON s.entry_id = e.id`,
};

interface SavedMarks extends Pick<SavedEntry, 'anchored'> {
  readonly id: string;
  readonly sharedHash: string;
  readonly contentHash: string;
}

function notSaved(): never {
  throw new Error('Entry was not saved');
}

/** Writers that use the same assets lock them in one order. */
const mediaInOrder = <L extends LinkRow>(links: readonly L[]): L[] =>
  links.filter(({ isMedia }) => isMedia).sort((a, b) => (a.targetId < b.targetId ? -1 : 1));

/** Writes several entries with one statement. */
export class EntryBatchRepository extends Repository {
  /** New entries outside every tree, each with one locale, in one statement; does not wait for it. */
  insertAll(changes: readonly ContentChange[]): void {
    if (changes.length === 0) return;
    const written = this.query(insertEntries, this.#valuesOfAll(changes));
    this.defer(this.mapViolations(written, keyErrors));
  }

  /** Keeps times and authors of the source of new entries, whose versions have the true ones. Does not wait. */
  keepFacts(imported: readonly StoredEntry[]): void {
    if (imported.length === 0) return;
    const rows = imported.map(({ id, createdAt, updatedAt, createdBy }) => ({
      id,
      createdAt,
      updatedAt,
      createdBy,
    }));
    this.defer(this.query(keepFacts, [this.environmentId, JSON.stringify(rows)]));
  }

  /** As `EntryRepository.save`, for changes of one locale each, in one statement. By id. */
  async saveAll(changes: readonly ContentChange[]): Promise<Map<string, SavedEntry>> {
    if (changes.length === 0) return new Map();
    const saved = this.query<SavedMarks>(saveEntries, this.#valuesOfAll(changes));
    const marks = new Map((await this.mapViolations(saved, keyErrors)).map((row) => [row.id, row]));
    const written = changes.map(({ entry, locales: [written] }) => {
      const { sharedHash, contentHash, anchored } = marks.get(entry.id) ?? notSaved();
      const locales = entry.locales.map((state) =>
        state.locale === written ? { ...state, contentHash } : state,
      );
      return { entry: { ...entry, sharedHash, locales }, anchored };
    });
    await new EntryTreeRepository(this.bound).refreshPaths(
      written.map(({ entry }) => entry),
      changes.flatMap(({ locales }) => locales),
    );
    return new Map(written.map((saved) => [saved.entry.id, saved]));
  }

  /** Parameters of {@link insertEntries} and {@link saveEntries}. */
  #valuesOfAll(changes: readonly ContentChange[]): unknown[] {
    const { now, scope } = this.bound;
    const rows = changes.map(({ entry, locales, changeType, changedFields, comment }) => {
      const [state, ...others] = entry.locales.filter(({ locale }) => locales.includes(locale));
      if (state === undefined || others.length > 0) throw new Error('A change of one locale was expected');
      const { id, contentTypeId: type, siteId: site, version, sharedFields: shared, externalId } = entry;
      const row = {
        id,
        type,
        site,
        version,
        shared,
        externalId,
        ...writtenLocale(state),
        inTree: isInTree(entry),
      };
      return { ...row, changeType, changedFields, comment };
    });
    const links = changes.flatMap(({ entry, links: own }) =>
      own.map((link) => ({ entryId: entry.id, ...link })),
    );
    return [
      this.tenantId,
      this.environmentId,
      now,
      JSON.stringify(scope.actor),
      JSON.stringify(rows),
      // Assets come last, as in the rows of one entry.
      JSON.stringify([...links.filter(({ isMedia }) => !isMedia), ...mediaInOrder(links)]),
    ];
  }
}

/** The first slot that no other write of many entries uses. */
const useOneSlot = {
  name: 'use_one_count_slot',
  text: `SELECT set_config('headwater.count_slot', coalesce((SELECT slot FROM generate_series(0, 15) AS slot
    WHERE pg_try_advisory_xact_lock(hashtextextended('count-slot:' || $1 || ':' || slot, 0)) LIMIT 1),
    pg_backend_pid() & 15)::text, true)`,
};

export class CountSlotRepository extends Repository {
  /**
   * Writes of many entries change one slot of each count. Otherwise they would lock all slots until the commit. Does
   * not wait for it.
   */
  useOne(): void {
    this.defer(this.query(useOneSlot, [this.environmentId]));
  }
}
