import { grant, tenantWall, type Migration } from './migration.js';

/** A table whose rows belong to environments and are compared between them. */
interface Journaled {
  readonly table: string;
  /** Kind of the item that the row belongs to, and SQL of its id and part. */
  readonly kind: string;
  readonly item: string;
  readonly part: string;
  /** SQL of whether an update changes what is compared. */
  readonly changed: string;
  /** Whether renames and deletions of fields rewrite its rows, which changes no content. */
  readonly isRewritten?: true;
}

const differ = (...columns: string[]): string =>
  `(${columns.map((column) => `OLD.${column}`).join(', ')}) IS DISTINCT FROM (${columns.map((column) => `NEW.${column}`).join(', ')})`;
const differApartFrom = (...columns: string[]): string =>
  `to_jsonb(OLD) - '{${columns.join(',')}}'::text[] <> to_jsonb(NEW) - '{${columns.join(',')}}'::text[]`;

const journaled: readonly Journaled[] = [
  {
    table: 'content_types',
    kind: 'contentType',
    item: 'id',
    part: "''",
    changed: differApartFrom('schema_version', 'updated_at'),
  },
  {
    table: 'fields',
    kind: 'contentType',
    item: 'content_type_id',
    part: 'id::text',
    changed: differApartFrom('updated_at'),
  },
  {
    table: 'custom_field_types',
    kind: 'customFieldType',
    item: 'id',
    part: "''",
    changed: differApartFrom('version', 'updated_at'),
  },
  { table: 'workflows', kind: 'workflow', item: 'id', part: "''", changed: differApartFrom('updated_at') },
  {
    table: 'entries',
    kind: 'entry',
    item: 'id',
    part: "''",
    changed: `OLD.shared_hash <> NEW.shared_hash OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)`,
    isRewritten: true,
  },
  {
    table: 'entry_locales',
    kind: 'entry',
    item: 'entry_id',
    part: 'locale',
    changed: differ('content_hash', 'is_deleted'),
    isRewritten: true,
  },
  {
    table: 'media_folders',
    kind: 'mediaFolder',
    item: 'id',
    part: "''",
    changed: differ('parent_id', 'name'),
  },
  {
    table: 'media_assets',
    kind: 'media',
    item: 'id',
    part: "''",
    changed: differ(
      ...[
        'storage_key',
        'file_name',
        'folder_id',
        'tags',
        'site_ids',
        'visibility',
        'focal_point_x',
        'focal_point_y',
      ],
    ),
  },
  {
    table: 'media_asset_locales',
    kind: 'media',
    item: 'asset_id',
    part: 'locale',
    changed: differ('alt_text', 'title', 'description', 'override_storage_key', 'override_asset_id'),
  },
  {
    table: 'tree_nodes',
    kind: 'treeNode',
    item: 'id',
    part: "''",
    changed: differ('site_id', 'parent_id', 'entry_id', 'name', 'slug', 'url', 'rank', 'hide_in_menu'),
  },
  {
    table: 'redirects',
    kind: 'redirect',
    item: 'id',
    part: "''",
    changed: differ(
      ...['site_id', 'source', 'target', 'status', 'match_type', 'locale', 'is_active', 'origin', 'note'],
    ),
  },
];

const nameOf = (table: string, verb: string): string => `journal_${table}_${verb}`;

const insertInto = ({ kind, item, part }: Journaled, rows: string, before: string): string => `
      INSERT INTO environment_changes (tenant_id, environment_id, epoch, kind, item_id, part, before)
        SELECT r.tenant_id, r.environment_id, e.epoch, '${kind}', r.${item}, ${part === "''" ? part : `r.${part}`}, ${before}
        FROM ${rows} r JOIN environment_epochs e ON e.environment_id = r.environment_id
        ORDER BY 2, 5, 6 ON CONFLICT DO NOTHING;`;

const unlessRewriting = ({ isRewritten }: Journaled): string =>
  isRewritten
    ? `IF current_setting('headwater.rewriting_fields', true) = 'on' THEN RETURN NULL; END IF;`
    : '';

const trigger = (name: string, { when, body }: { when: string; body: string }): string => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      IF current_setting('headwater.copying', true) = 'on' THEN RETURN NULL; END IF;
      ${body}
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER ${when} EXECUTE FUNCTION ${name}();`;

const triggersOf = (one: Journaled): string =>
  [
    trigger(nameOf(one.table, 'insert'), {
      when: `INSERT ON ${one.table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT`,
      body: insertInto(one, 'added', 'NULL'),
    }),
    trigger(nameOf(one.table, 'delete'), {
      when: `DELETE ON ${one.table} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT`,
      body: insertInto(one, 'removed', 'to_jsonb(r)'),
    }),
    trigger(nameOf(one.table, 'update'), {
      when: `UPDATE ON ${one.table} FOR EACH ROW WHEN (${one.changed})`,
      body: `${unlessRewriting(one)}${insertInto(one, '(SELECT OLD.*)', 'to_jsonb(r)')}`,
    }),
  ].join('');

const dropTriggersOf = ({ table }: Journaled): string =>
  ['insert', 'delete', 'update']
    .map((verb) => `DROP TRIGGER ${nameOf(table, verb)} ON ${table}; DROP FUNCTION ${nameOf(table, verb)}();`)
    .join(' ');

/**
 * What changed in an environment since it was branched, so that a comparison reads the changes and not the content
 * (rule environments/comparison). Only environments with an epoch are journaled: branches, and what they were branched from.
 */
export const environmentChanges: Migration = {
  name: '0046-environment-changes',
  up: `
    CREATE TABLE environment_epochs (
      tenant_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      epoch integer NOT NULL,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN environment_epochs.epoch IS 'Rises with each branch that is made of the environment.';

    CREATE TABLE environment_branches (
      tenant_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      base_environment_id uuid NOT NULL,
      base_epoch integer NOT NULL,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, base_environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN environment_branches.base_epoch IS 'The first epoch of the base that the branch does not contain.';

    CREATE TABLE environment_changes (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      epoch integer NOT NULL,
      kind text NOT NULL,
      item_id uuid NOT NULL,
      part text NOT NULL,
      before jsonb,
      rename_number bigint NOT NULL DEFAULT last_rename(),
      PRIMARY KEY (environment_id, kind, item_id, part, epoch),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX environment_changes_epoch ON environment_changes (environment_id, epoch);
    COMMENT ON COLUMN environment_changes.part IS 'A locale of an entry, a field of a content type; empty for the item itself.';
    COMMENT ON COLUMN environment_changes.before IS 'The row before its first change in the epoch; null if it did not exist.';

    ${tenantWall('environment_epochs')}
    ${tenantWall('environment_branches')}
    ${tenantWall('environment_changes')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_epochs, environment_branches, environment_changes')}

    CREATE FUNCTION open_branch(tenant uuid, branch uuid, base uuid) RETURNS void LANGUAGE sql AS $$
      WITH raised AS (
        INSERT INTO environment_epochs AS e (tenant_id, environment_id, epoch) VALUES (tenant, base, 1)
          ON CONFLICT (environment_id) DO UPDATE SET epoch = e.epoch + 1 RETURNING epoch)
      INSERT INTO environment_branches (tenant_id, environment_id, base_environment_id, base_epoch)
        SELECT tenant, branch, base, epoch FROM raised
        ON CONFLICT (environment_id) DO UPDATE SET base_environment_id = excluded.base_environment_id,
          base_epoch = excluded.base_epoch $$;
    COMMENT ON FUNCTION open_branch IS
      'Journals the base from here on. Called while writers of the project are locked out and the snapshot of the copy is taken.';
    CREATE FUNCTION journal_branch(tenant uuid, branch uuid) RETURNS void LANGUAGE sql AS $$
      INSERT INTO environment_epochs (tenant_id, environment_id, epoch) VALUES (tenant, branch, 1) ON CONFLICT DO NOTHING $$;
    COMMENT ON FUNCTION journal_branch IS 'Journals a branch from here on. Called in the transaction of the copy, after its rows.';
    ${grant('EXECUTE', 'FUNCTION open_branch(uuid, uuid, uuid), journal_branch(uuid, uuid)')}

    ${journaled.map(triggersOf).join('')}
  `,
  down: `
    ${journaled.map(dropTriggersOf).join(' ')}
    DROP FUNCTION journal_branch(uuid, uuid), open_branch(uuid, uuid, uuid);
    DROP TABLE environment_changes, environment_branches, environment_epochs;
  `,
};
