import { bump } from './0003-content-model.js';
import { newId } from './0016-members.js';
import { grant, tenantWall, type Migration } from './migration.js';

const formerKeys = 'environment_id, is_deleted, locale, status, content_type_id, site_id';
export const entryCountKeys = `${formerKeys}, workflow_state`;

/** Each locale under its code, and under '' where it represents its entry. */
export const countedLocales = (source: string, step: string): string =>
  `SELECT r.environment_id, r.is_deleted, shown.locale, r.status, r.content_type_id, r.site_id,
      coalesce(r.workflow_state, '') AS workflow_state, r.entry_id, ${step} AS step
    FROM ${source} r CROSS JOIN LATERAL (SELECT r.locale UNION ALL SELECT '' WHERE r.is_shown) AS shown (locale)`;

const formerlyCounted = (source: string, step: string): string =>
  `SELECT r.environment_id, r.is_deleted, shown.locale, r.status, r.content_type_id, r.site_id, r.entry_id, ${step} AS step
      FROM ${source} r CROSS JOIN LATERAL (SELECT r.locale UNION ALL SELECT '' WHERE r.is_shown) AS shown (locale)`;

type Counted = typeof countedLocales;

/** Replaces the functions of the triggers of 0015 that count entries. */
const counters = (columns: string, rowsOf: Counted): string =>
  (
    [
      ['insert', 'added', rowsOf('added', '1')],
      ['delete', 'removed', rowsOf('removed', '-1')],
      ['update', 'added', `${rowsOf('added', '1')} UNION ALL ${rowsOf('removed', '-1')}`],
    ] as const
  )
    .map(
      ([verb, seen, rows]) => `
    CREATE OR REPLACE FUNCTION count_entry_locales_${verb}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM ${seen}) THEN RETURN NULL; END IF;
      INSERT INTO entry_counts AS c (${columns}, slot, entries)
        SELECT ${columns}, get_byte(uuid_send(entry_id), 15) & 15 AS slot, sum(step) FROM (${rows}) AS changed
          GROUP BY ${columns}, slot HAVING sum(step) <> 0 ORDER BY ${columns}, slot
        ON CONFLICT (${columns}, slot) DO UPDATE SET entries = c.entries + excluded.entries;
      RETURN NULL;
    END $$;`,
    )
    .join('');

/** The gate also reads the ids of a member's roles. */
const findMember = (keysOfRole: string): string => `
    CREATE OR REPLACE FUNCTION find_member(wanted_user uuid, wanted_project text, seen_at timestamptz)
      RETURNS TABLE (id uuid, tenant_id uuid, name text, is_super_admin boolean, status text, project_id uuid, roles jsonb)
      LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE users u SET last_active_at = seen_at, status = CASE WHEN u.status = 'invited' THEN 'active' ELSE u.status END
        WHERE u.id = wanted_user AND u.status <> 'suspended'
          AND (u.last_active_at IS NULL OR u.last_active_at < seen_at - interval '5 minutes');
      RETURN QUERY
        SELECT u.id, u.tenant_id, u.name, u.is_super_admin, u.status, m.project_id,
          (SELECT coalesce(jsonb_agg(jsonb_build_object(${keysOfRole}'slug', r.slug, 'isSystem', r.is_system,
              'grants', (SELECT coalesce(jsonb_agg(jsonb_build_object('resource', g.resource, 'action', g.action, 'scope', g.scope)), '[]')
                 FROM role_grants g WHERE g.tenant_id = r.tenant_id AND g.role_id = r.id))), '[]')
           FROM member_roles x JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
           WHERE NOT m.is_suspended AND x.tenant_id = m.tenant_id AND x.project_id = m.project_id AND x.user_id = u.id)
        FROM users u
          LEFT JOIN projects p ON p.slug = wanted_project AND p.tenant_id = u.tenant_id
          LEFT JOIN members m ON m.tenant_id = u.tenant_id AND m.project_id = p.id AND m.user_id = u.id
        WHERE u.id = wanted_user;
      PERFORM set_config('headwater.platform', '', true);
    END $$;`;

const states = [
  { key: 'draft', name: 'Draft', isInitial: true, allowsPublish: false },
  { key: 'in_review', name: 'In review', isInitial: false, allowsPublish: false },
  { key: 'approved', name: 'Approved', isInitial: false, allowsPublish: true },
].map((state) => ({ color: null, editableBy: [], ...state }));

const transitions = [
  { from: 'draft', to: 'in_review', name: 'Send to review' },
  { from: 'in_review', to: 'approved', name: 'Approve' },
  { from: 'in_review', to: 'draft', name: 'Request changes' },
  { from: 'approved', to: 'in_review', name: 'Review again' },
].map((transition) => ({
  ...transition,
  roleIds: [],
  requireComment: false,
  requireAssignee: false,
  approvals: null,
}));

const ofEntry = `FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE`;

/**
 * Workflows of an environment, the states of entries in them, and counts by state. A locale without a state is in the
 * base state of its workflow, so that workflows change without writing entries.
 */
export const workflows: Migration = {
  name: '0038-workflows',
  up: `
    CREATE TABLE workflows (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      is_default boolean NOT NULL,
      content_type_ids uuid[] NOT NULL,
      site_ids uuid[] NOT NULL,
      enforcement text NOT NULL CHECK (enforcement IN ('advisory', 'strict')),
      per_locale boolean NOT NULL,
      base_state text NOT NULL,
      states jsonb NOT NULL,
      transitions jsonb NOT NULL,
      role_ids uuid[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT workflows_slug_key UNIQUE (environment_id, slug),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id)
    );
    CREATE UNIQUE INDEX workflows_default_key ON workflows (environment_id) WHERE is_default;
    COMMENT ON COLUMN workflows.base_state IS 'State of locales whose workflow_state is null.';
    COMMENT ON COLUMN workflows.role_ids IS 'Roles that states and transitions name.';
    INSERT INTO workflows (tenant_id, environment_id, id, slug, name, is_default, content_type_ids, site_ids, enforcement,
        per_locale, base_state, states, transitions, role_ids, created_at, updated_at)
      SELECT tenant_id, environment_id, ${newId}, 'default', 'Default', true, '{}', '{}', 'advisory', false, 'draft',
        '${JSON.stringify(states)}', '${JSON.stringify(transitions)}', '{}', now(), now()
      FROM environment_heads;
    ${tenantWall('workflows')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'workflows')}
    ${bump('workflows', 'environment_id')}

    ALTER TABLE entry_locales ADD COLUMN workflow_state text, ADD COLUMN assignee_id uuid, ADD COLUMN due_at timestamptz;
    COMMENT ON COLUMN entry_locales.workflow_state IS
      'Null is the base state. Equal in all locales of an entry unless its workflow is per locale, as are the assignee and the due time.';
    CREATE INDEX entry_locales_workflow ON entry_locales (environment_id, workflow_state, content_type_id, locale)
      WHERE workflow_state IS NOT NULL AND NOT is_deleted;
    CREATE INDEX entry_locales_assignee ON entry_locales (environment_id, assignee_id) WHERE assignee_id IS NOT NULL;

    ALTER TABLE entry_counts ADD COLUMN workflow_state text NOT NULL DEFAULT '';
    ALTER TABLE entry_counts ALTER COLUMN workflow_state DROP DEFAULT, DROP CONSTRAINT entry_counts_pkey, ADD PRIMARY KEY (${entryCountKeys}, slot);
    ${counters(entryCountKeys, countedLocales)}

    CREATE TABLE workflow_history (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      id uuid NOT NULL,
      locale text NOT NULL,
      from_state text NOT NULL,
      to_state text NOT NULL,
      at timestamptz NOT NULL,
      by jsonb NOT NULL,
      comment text,
      approvals jsonb NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, id),
      ${ofEntry}
    );
    COMMENT ON COLUMN workflow_history.locale IS 'Empty where the entry has one state for all locales.';
    CREATE TABLE workflow_approvals (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      from_state text NOT NULL,
      to_state text NOT NULL,
      user_id uuid NOT NULL,
      by jsonb NOT NULL,
      at timestamptz NOT NULL,
      version integer NOT NULL,
      comment text,
      PRIMARY KEY (environment_id, entry_id, locale, from_state, to_state, user_id),
      ${ofEntry}
    );
    COMMENT ON COLUMN workflow_approvals.version IS 'Version of the entry that was approved.';
    ${tenantWall('workflow_history')}
    ${tenantWall('workflow_approvals')}
    ${grant('SELECT, INSERT', 'workflow_history')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'workflow_approvals')}
    ${findMember("'id', r.id, ")}
  `,
  down: `
    ${findMember('')}
    DROP TABLE workflow_approvals, workflow_history;
    ${counters(formerKeys, formerlyCounted)}
    CREATE TEMPORARY TABLE former_counts AS SELECT ${formerKeys}, slot, sum(entries)::bigint AS entries FROM entry_counts GROUP BY ${formerKeys}, slot;
    DELETE FROM entry_counts;
    ALTER TABLE entry_counts DROP CONSTRAINT entry_counts_pkey, DROP COLUMN workflow_state, ADD PRIMARY KEY (${formerKeys}, slot);
    INSERT INTO entry_counts (${formerKeys}, slot, entries) SELECT ${formerKeys}, slot, entries FROM former_counts;
    DROP TABLE former_counts;
    ALTER TABLE entry_locales DROP COLUMN workflow_state, DROP COLUMN assignee_id, DROP COLUMN due_at;
    DROP TABLE workflows;
  `,
};
