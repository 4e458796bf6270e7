import type { Actor } from '../../../../../contracts/actor.js';
import type { ChangeType } from '../../../../../contracts/entries/entries/entry-version.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { Repository } from '../../../../persistence/repositories/repository.js';

/** A locale after a version. */
export interface VersionRow {
  readonly versionNum: number;
  readonly locale: string;
  readonly slug: string;
  readonly fields: FieldValues;
  readonly shared: FieldValues;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly changeType: ChangeType;
  readonly changedFields: readonly string[];
  readonly comment: string | null;
}

export interface PublicationRow {
  readonly versionNum: number;
  readonly locale: string;
  readonly kind: 'publish' | 'unpublish';
  readonly at: Date;
  readonly by: Actor;
  readonly comment: string | null;
}

/** What the versions of an entry are while an import replaces them. */
interface ImportState {
  /** Whether an import of the caller wrote every version. */
  readonly isImported: boolean;
  /** Whether versions of the source are missing. */
  readonly isOpen: boolean;
  /** Whether an approval, a schedule or a release names a version. */
  readonly isNamed: boolean;
  /** The newest version of the source that is complete. */
  readonly newest: number | null;
  /** Of the requested versions those that an import has brought: their authors have no ids. */
  readonly finished: readonly number[];
  /** Of the requested versions those that are still to come. */
  readonly placeholders: readonly number[];
}

/** In place of the names of changed fields, of a version that keeps the values of the entry until it is imported. */
export const PLACEHOLDER = '*';

const own = "change_type = 'import' AND created_by ->> 'id' = $3";

const stateSql = `WITH known AS (
    SELECT version_num, bool_and(${own}) AS is_own, bool_and(created_by ->> 'id' IS NULL) AS is_of_source, bool_and(${own} AND changed_fields = '{${PLACEHOLDER}}') AS is_placeholder
    FROM entry_versions WHERE environment_id = $1 AND entry_id = $2 GROUP BY version_num)
  SELECT (SELECT bool_and(is_own) FROM known) AS "isImported",
    EXISTS (SELECT FROM known WHERE is_placeholder) AS "isOpen",
    (SELECT max(version_num) FROM known WHERE NOT is_placeholder AND version_num <= $5) AS newest,
    ARRAY(SELECT version_num FROM known WHERE version_num = ANY($4) AND is_of_source) AS finished,
    ARRAY(SELECT version_num FROM known WHERE version_num = ANY($4) AND is_placeholder) AS placeholders,
    EXISTS (SELECT FROM workflow_approvals WHERE environment_id = $1 AND entry_id = $2)
      OR EXISTS (SELECT FROM scheduled_jobs WHERE environment_id = $1 AND entry_id = $2 AND version IS NOT NULL AND status = 'scheduled')
      OR EXISTS (SELECT FROM release_items WHERE environment_id = $1 AND entry_id = $2 AND pinned_version IS NOT NULL) AS "isNamed"`;

/** The last publication of each published locale is that of the version which stands for it. */
const renumberSql = `WITH given AS (SELECT * FROM jsonb_to_recordset($4::jsonb) AS g(locale text, version integer)),
  entry AS (UPDATE entries SET version = $3 WHERE environment_id = $1 AND id = $2),
  states AS (UPDATE entry_locales l SET published_version = g.version FROM given g
    WHERE l.environment_id = $1 AND l.entry_id = $2 AND l.locale = g.locale AND l.published_version IS NOT NULL),
  documents AS (UPDATE published_entries p SET version = g.version FROM given g
    WHERE p.environment_id = $1 AND p.entry_id = $2 AND p.locale = g.locale),
  sources AS (UPDATE translation_sources s SET version = g.version FROM given g
    WHERE s.environment_id = $1 AND s.entry_id = $2 AND s.version IS NOT NULL
      AND g.locale = (SELECT t.default_locale FROM entries e JOIN sites t ON t.tenant_id = e.tenant_id AND t.id = e.site_id
        WHERE e.environment_id = $1 AND e.id = $2) RETURNING s.version)
  UPDATE translations t SET provenance = (SELECT jsonb_object_agg(m.key, jsonb_set(m.value, '{version}', to_jsonb(
      CASE WHEN (m.value ->> 'version')::int > coalesce(k.version, 0) THEN $3 ELSE least((m.value ->> 'version')::int, (SELECT version FROM sources)) END)))
    FROM jsonb_each(t.provenance) AS m)
  FROM (SELECT (SELECT version FROM translation_sources WHERE environment_id = $1 AND entry_id = $2) AS version) AS k
  WHERE t.environment_id = $1 AND t.entry_id = $2 AND t.provenance <> '{}'`;

const insertVersions = `INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields,
    shared_fields, changed_fields, comment, created_at, created_by)
  SELECT $1, $2, $3, "versionNum", locale, "changeType", slug, fields, shared,
    ARRAY(SELECT jsonb_array_elements_text("changedFields")), comment, "createdAt", "createdBy"
  FROM jsonb_to_recordset($4::jsonb) AS g("versionNum" integer, locale text, "changeType" text, slug text, fields jsonb,
    shared jsonb, "changedFields" jsonb, comment text, "createdAt" timestamptz, "createdBy" jsonb)`;

const insertPublications = `INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by, comment)
  SELECT $1, $2, $3, g."versionNum", g.locale, g.kind, g.at, g.by, g.comment
  FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS item (row, place)
    CROSS JOIN LATERAL jsonb_to_record(item.row) AS g("versionNum" integer, locale text, kind text, at timestamptz, by jsonb, comment text)
  ORDER BY item.place`;

/** Replaces versions that an import wrote. */
export class ImportedVersionRepository extends Repository {
  async state(entryId: string, numbers: readonly number[], latest: number): Promise<ImportState> {
    const bind = [this.environmentId, entryId, this.bound.scope.actor.id, [...numbers], latest];
    const [state] = await this.query<ImportState>(stateSql, bind);
    if (state === undefined) throw new Error('A state was expected');
    return state;
  }

  /** The newest version below a number. */
  async before(entryId: string, versionNum: number): Promise<number | undefined> {
    const [row] = await this.query<{ found: number | null }>(
      'SELECT max(version_num) AS found FROM entry_versions WHERE environment_id = $1 AND entry_id = $2 AND version_num < $3',
      [this.environmentId, entryId, versionNum],
    );
    return row?.found ?? undefined;
  }

  /** The publication by which each locale is published. */
  published(entryId: string): Promise<PublicationRow[]> {
    return this.query<PublicationRow>(
      `SELECT DISTINCT ON (p.locale) p.version_num AS "versionNum", p.locale, p.kind, p.at, p.by, p.comment
       FROM entry_publications p JOIN entry_locales l ON l.environment_id = p.environment_id AND l.entry_id = p.entry_id
         AND l.locale = p.locale AND l.published_version = p.version_num
       WHERE p.environment_id = $1 AND p.entry_id = $2 AND p.kind = 'publish' ORDER BY p.locale, p.ordinal DESC`,
      [this.environmentId, entryId],
    );
  }

  /** Versions of an import and their publications. @param numbers all if undefined */
  async remove(entryId: string, numbers?: readonly number[]): Promise<void> {
    const bind = [this.environmentId, entryId, numbers === undefined ? null : [...numbers]];
    await this.query('SELECT remove_imported_versions($1, $2, $3::int[])', bind);
  }

  async insert(
    entryId: string,
    rows: readonly VersionRow[],
    publications: readonly PublicationRow[],
  ): Promise<void> {
    const bind = [this.tenantId, this.environmentId, entryId];
    await this.query(insertVersions, [...bind, JSON.stringify(rows)]);
    if (publications.length > 0)
      await this.query(insertPublications, [...bind, JSON.stringify(publications)]);
  }

  /** Gives the newest and the published versions the numbers of the source. */
  async renumber(
    entryId: string,
    { latest, published }: { readonly latest: number; readonly published: ReadonlyMap<string, number> },
  ): Promise<void> {
    const given = [...published].map(([locale, version]) => ({ locale, version }));
    await this.query(renumberSql, [this.environmentId, entryId, latest, JSON.stringify(given)]);
  }

  /** Takes the times and the author of the newest version, which is complete. */
  async keepTimes(entryId: string, versionNum: number): Promise<void> {
    await this.query(
      `WITH states AS (UPDATE entry_locales l SET updated_at = coalesce((SELECT v.created_at FROM entry_versions v
           WHERE v.environment_id = $1 AND v.entry_id = $2 AND v.locale = l.locale ORDER BY v.version_num DESC LIMIT 1), l.updated_at)
         WHERE l.environment_id = $1 AND l.entry_id = $2)
       UPDATE entries e SET updated_at = v.created_at, updated_by = v.created_by FROM entry_versions v
       WHERE e.environment_id = $1 AND e.id = $2 AND e.version = $3 AND v.environment_id = $1 AND v.entry_id = $2 AND v.version_num = $3`,
      [this.environmentId, entryId, versionNum],
    );
  }
}
