import {
  afterStatement,
  countSlot,
  grant,
  ownersFunction,
  steps,
  tenantWall,
  unlessEmpty,
  verbs,
  type Migration,
  type Verb,
} from './migration.js';

const translationKeys = 'environment_id, is_deleted, locale, status, content_type_id, site_id';
const entryKeys = 'environment_id, is_deleted, content_type_id, site_id, entry_id';
const setOf = "string_agg(status, ',' ORDER BY status)";

/** An entry leaves the set of statuses that its translations had before the statement, and enters the one of now. */
const bySet = `
        SELECT environment_id, is_deleted, '', side.statuses, content_type_id, site_id, entry_id, side.step
        FROM (SELECT ${entryKeys}, jsonb_object_agg(status, step) AS steps
            FROM (SELECT ${entryKeys}, status, sum(step) AS step FROM changed GROUP BY ${entryKeys}, status
              HAVING sum(step) <> 0) AS by_status GROUP BY ${entryKeys}) AS e
          CROSS JOIN LATERAL (SELECT ${setOf} FILTER (WHERE held > 0) AS now, ${setOf} FILTER (WHERE held > step) AS former
            FROM (SELECT status, sum(held) AS held, sum(step) AS step
              FROM (SELECT t.status, 1 AS held, 0 AS step FROM translations t WHERE t.environment_id = e.environment_id
                  AND t.entry_id = e.entry_id AND t.is_deleted = e.is_deleted
                UNION ALL SELECT key, 0, value::int FROM jsonb_each_text(e.steps)) AS rows GROUP BY status) AS counts) AS sets
          CROSS JOIN LATERAL (VALUES (sets.now, 1), (sets.former, -1)) AS side (statuses, step)
        WHERE sets.now IS DISTINCT FROM sets.former AND side.statuses IS NOT NULL`;

/** Under a locale each translation counts. */
const countSql = (rows: string): string => `
      WITH changed AS (${rows}),
      steps AS (
        SELECT ${translationKeys}, entry_id, sum(step) AS step FROM changed GROUP BY ${translationKeys}, entry_id
        UNION ALL${bySet})
      INSERT INTO translation_counts AS c (${translationKeys}, slot, entries)
        SELECT ${translationKeys}, ${countSlot} AS slot, sum(step) FROM steps
          GROUP BY ${translationKeys}, slot HAVING sum(step) <> 0 ORDER BY ${translationKeys}, slot
        ON CONFLICT (${translationKeys}, slot) DO UPDATE SET entries = c.entries + excluded.entries;`;

const countTranslations = (verb: Verb): string => {
  const name = `count_translations_${verb.toLowerCase()}`;
  const rows = steps(
    verb,
    (source, step) => `SELECT ${translationKeys}, entry_id, ${step} AS step FROM ${source}`,
  );
  return `${ownersFunction(name, `${unlessEmpty(verb)}${countSql(rows)}`)}${afterStatement({ verb, table: 'translations', name })}`;
};

/**
 * Translations of entries, their jobs, and their counts. Entries are counted by the set of statuses of their
 * translations, e.g. `complete,missing`, so that a total for several statuses reads no translations. Only the owner writes
 * counters; under row-level security it sees the rows of the caller's tenant only.
 */
export const translations: Migration = {
  name: '0013-translations',
  up: `
    CREATE TABLE translation_sources (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      names text[] NOT NULL,
      version integer,
      hashes jsonb NOT NULL DEFAULT '{}',
      PRIMARY KEY (environment_id, entry_id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE translation_sources IS 'The default locale of the site: names of filled fields of the draft; version and hashes of fields last published.';

    CREATE TABLE translations (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      is_deleted boolean NOT NULL,
      is_written boolean NOT NULL DEFAULT false,
      stage text NOT NULL DEFAULT 'in_progress' CHECK (stage IN ('in_progress', 'needs_review', 'complete', 'stale')),
      names text[] NOT NULL DEFAULT '{}',
      provenance jsonb NOT NULL DEFAULT '{}',
      outdated text[] NOT NULL DEFAULT '{}',
      status text NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN (NOT is_written) THEN 'missing'
    WHEN ((stage = 'complete') AND (cardinality(outdated) > 0)) THEN 'stale'
    ELSE stage
END) STORED,
      stale_reason text,
      stale_at timestamptz,
      assignee_id uuid,
      priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high')),
      due_at timestamptz,
      note text,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX translations_assignee ON translations (environment_id, assignee_id, entry_id DESC) WHERE (assignee_id IS NOT NULL) AND (NOT is_deleted);
    CREATE INDEX translations_due ON translations (environment_id, due_at) WHERE (due_at IS NOT NULL) AND (NOT is_deleted);
    CREATE INDEX translations_locale ON translations (environment_id, locale, status, entry_id DESC) WHERE NOT is_deleted;
    CREATE INDEX translations_status ON translations (environment_id, status, entry_id DESC) WHERE NOT is_deleted;
    CREATE INDEX translations_tasks ON translations (environment_id, assignee_id, due_at, entry_id, locale) WHERE (assignee_id IS NOT NULL) AND (NOT is_deleted) AND (status <> 'complete');
    COMMENT ON TABLE translations IS 'One row for each entry and locale of its site but the default one, written or not.';
    COMMENT ON COLUMN translations.provenance IS 'For each field, hash and version of the source that it was made from.';
    COMMENT ON COLUMN translations.outdated IS 'Fields whose source was published with other content since.';

    CREATE TABLE translation_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      status text NOT NULL,
      is_deleted boolean NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (environment_id, is_deleted, locale, status, content_type_id, site_id, slot)
    );
    COMMENT ON COLUMN translation_counts.locale IS 'Empty for entries, whose status is the sorted set of the statuses of their translations, separated by commas.';

    CREATE TABLE translation_jobs (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('export', 'import')),
      status text NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed')),
      options jsonb NOT NULL,
      total integer NOT NULL,
      done integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      size bigint,
      error jsonb,
      attempts integer NOT NULL DEFAULT 0,
      lease_id uuid,
      due_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      completed_at timestamptz,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX translation_jobs_due ON translation_jobs (due_at, id) WHERE status IN ('queued', 'running');
    CREATE INDEX translation_jobs_expired ON translation_jobs (expires_at);
    CREATE INDEX translation_jobs_open ON translation_jobs (environment_id) WHERE status IN ('queued', 'running');
    COMMENT ON COLUMN translation_jobs.size IS 'Bytes of the archive.';
    COMMENT ON COLUMN translation_jobs.lease_id IS 'Of the process that works on it; each claim has a new one.';
    COMMENT ON COLUMN translation_jobs.due_at IS 'When a process may claim it: of a running job, when its lease ends.';

    CREATE TABLE translation_job_files (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      job_id uuid NOT NULL,
      "position" integer NOT NULL,
      name text NOT NULL,
      entry_id uuid,
      locale text,
      status text NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
      code text,
      message text,
      units jsonb,
      PRIMARY KEY (environment_id, job_id, "position"),
      FOREIGN KEY (environment_id, job_id) REFERENCES translation_jobs (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN translation_job_files.units IS 'Number of units by outcome.';

    CREATE FUNCTION recount_environment(environment uuid)
      RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM environments WHERE id = environment) THEN RETURN; END IF;
      DELETE FROM entry_counts WHERE environment_id = environment;
      INSERT INTO entry_counts (environment_id, is_deleted, locale, status, content_type_id, site_id, workflow_state, slot, entries)
        SELECT environment_id, is_deleted, locale, status, content_type_id, site_id, workflow_state, get_byte(uuid_send(entry_id), 15) & 15 AS slot, sum(step) FROM (SELECT r.environment_id, r.is_deleted, shown.locale, r.status, r.content_type_id, r.site_id,
      coalesce(r.workflow_state, '') AS workflow_state, r.entry_id, 1 AS step
    FROM entry_locales r CROSS JOIN LATERAL (SELECT r.locale UNION ALL SELECT '' WHERE r.is_shown) AS shown (locale)
          WHERE r.environment_id = environment) AS counted GROUP BY environment_id, is_deleted, locale, status, content_type_id, site_id, workflow_state, slot;
      DELETE FROM published_counts WHERE environment_id = environment;
      INSERT INTO published_counts (environment_id, content_type_id, site_id, locale, slot, entries)
        SELECT environment_id, content_type_id, site_id, locale, get_byte(uuid_send(entry_id), 15) & 15 AS slot, count(*) FROM published_entries WHERE environment_id = environment
          GROUP BY environment_id, content_type_id, site_id, locale, slot;
      DELETE FROM translation_counts WHERE environment_id = environment;
      INSERT INTO translation_counts (environment_id, is_deleted, locale, status, content_type_id, site_id, slot, entries)
        SELECT environment_id, is_deleted, locale, status, content_type_id, site_id, get_byte(uuid_send(entry_id), 15) & 15 AS slot, count(*) FROM translations WHERE environment_id = environment
          GROUP BY environment_id, is_deleted, locale, status, content_type_id, site_id, slot
        UNION ALL
        SELECT environment_id, is_deleted, '', statuses, content_type_id, site_id, get_byte(uuid_send(entry_id), 15) & 15 AS slot, count(*)
          FROM (SELECT environment_id, is_deleted, content_type_id, site_id, entry_id, string_agg(DISTINCT status, ',' ORDER BY status) AS statuses FROM translations
            WHERE environment_id = environment GROUP BY environment_id, is_deleted, content_type_id, site_id, entry_id) AS sets GROUP BY 1, 2, 3, 4, 5, 6, 7;
    END $$;

    CREATE FUNCTION is_block_values(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN jsonb_typeof(value) <> 'object' OR value = '{}' THEN false ELSE NOT EXISTS (
        SELECT FROM jsonb_object_keys(value) AS id WHERE id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' OR jsonb_typeof(value -> id) <> 'object') END $$;
    COMMENT ON FUNCTION is_block_values IS 'Whether a localized value is one of blocks, by their ids.';

    ${verbs.map(countTranslations).join('')}

    CREATE TRIGGER refuse_untranslated BEFORE INSERT ON translations FOR EACH ROW EXECUTE FUNCTION refuse_untranslated();
    CREATE TRIGGER refuse_untranslated BEFORE INSERT ON translation_sources FOR EACH ROW EXECUTE FUNCTION refuse_untranslated();
    ${tenantWall('translation_job_files')}
    ${tenantWall('translation_jobs', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('translation_sources')}
    ${tenantWall('translations')}
    ${grant('SELECT', 'translation_counts')}
    ${grant('SELECT, INSERT, UPDATE', 'translation_job_files')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'translation_sources, translations, translation_jobs')}
    REVOKE ALL ON FUNCTION recount_environment(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION recount_environment(uuid) TO headwater_service;
  `,
  down: `
    DROP FUNCTION count_translations_insert, count_translations_update, count_translations_delete,
      recount_environment, is_block_values CASCADE;
    DROP TABLE translation_job_files, translation_jobs, translation_counts, translations, translation_sources CASCADE;
  `,
};
