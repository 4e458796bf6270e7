import { emptiedTables } from './0015-environments.js';
import { grant, tenantWall, unlessDeleting, type Migration } from './migration.js';

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
    changed: `OLD.shared_hash <> NEW.shared_hash OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
      OR ${differ('external_id')}`,
    isRewritten: true,
  },
  {
    table: 'entry_locales',
    kind: 'entry',
    item: 'entry_id',
    part: 'locale',
    changed: `${differ('content_hash', 'is_deleted')} OR ${differ('published_version')}`,
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
      when: `DELETE ON ${one.table} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT ${emptiedTables.includes(one.table) ? unlessDeleting : ''}`,
      body: insertInto(one, 'removed', 'to_jsonb(r)'),
    }),
    trigger(nameOf(one.table, 'update'), {
      when: `UPDATE ON ${one.table} FOR EACH ROW WHEN (${one.changed})`,
      body: `${unlessRewriting(one)}${insertInto(one, '(SELECT OLD.*)', 'to_jsonb(r)')}`,
    }),
  ].join('');

/**
 * What changed in an environment since it was branched, so that a comparison reads the changes and not the content
 * (rule environments/comparison). Only environments with an epoch are journaled: branches, and what they were branched
 * from.
 */
export const environmentBranches: Migration = {
  name: '0017-environment-branches',
  up: `
    CREATE SEQUENCE common_version_number;
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
      number bigint NOT NULL DEFAULT nextval('common_version_number'),
      copies_content boolean NOT NULL DEFAULT true,
      FOREIGN KEY (tenant_id, base_environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN environment_branches.base_epoch IS 'The first epoch of the base that the branch does not contain.';
    COMMENT ON COLUMN environment_branches.number IS 'Orders the states that two environments had in common.';
    COMMENT ON COLUMN environment_branches.copies_content IS 'False: it began with the schema of its base only.';

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

    CREATE TABLE former_vocabularies (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      types jsonb NOT NULL,
      fields jsonb NOT NULL,
      renames jsonb NOT NULL,
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE former_vocabularies IS 'Names in deleted environments, which rows of bases use.';

    CREATE FUNCTION journal_branch(tenant uuid, branch uuid) RETURNS void LANGUAGE sql AS $$
      INSERT INTO environment_epochs (tenant_id, environment_id, epoch) VALUES (tenant, branch, 1) ON CONFLICT DO NOTHING $$;
    COMMENT ON FUNCTION journal_branch IS 'Journals a branch from here on. Called in the transaction of the copy, after its rows.';

    CREATE FUNCTION open_branch(tenant uuid, branch uuid, base uuid, with_content boolean) RETURNS void LANGUAGE sql AS $$
      WITH raised AS (
        INSERT INTO environment_epochs AS e (tenant_id, environment_id, epoch) VALUES (tenant, base, 1)
          ON CONFLICT (environment_id) DO UPDATE SET epoch = e.epoch + 1 RETURNING epoch)
      INSERT INTO environment_branches (tenant_id, environment_id, base_environment_id, base_epoch, copies_content)
        SELECT tenant, branch, base, epoch, with_content FROM raised
        ON CONFLICT (environment_id) DO UPDATE SET base_environment_id = excluded.base_environment_id,
          base_epoch = excluded.base_epoch, number = excluded.number, copies_content = excluded.copies_content $$;
    COMMENT ON FUNCTION open_branch IS 'Journals the base from here on. Called while writers of the project are locked out and the snapshot of the copy is taken.';

    CREATE FUNCTION inherit_changes(gone uuid, heir uuid, first_epoch integer, end_epoch integer, new_end integer)
      RETURNS void LANGUAGE sql AS $$
      INSERT INTO environment_changes (tenant_id, environment_id, epoch, kind, item_id, part, before, rename_number)
        SELECT tenant_id, heir, epoch - end_epoch + new_end, kind, item_id, part, before, rename_number FROM environment_changes
        WHERE environment_id = gone AND epoch < end_epoch AND epoch >= coalesce(first_epoch, epoch) $$;
    COMMENT ON FUNCTION inherit_changes IS 'Puts the changes of an environment before those of a branch of it.';

    CREATE FUNCTION pass_on_branches(gone uuid) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      heir environment_branches;
      former environment_branches;
      child environment_branches;
      least_epoch integer;
    BEGIN
      SELECT b.* INTO heir FROM environment_branches b JOIN environments e ON e.tenant_id = b.tenant_id AND e.id = b.environment_id
        WHERE b.base_environment_id = gone AND e.status IN ('ready', 'promoting')
        ORDER BY b.copies_content DESC, b.base_epoch DESC LIMIT 1;
      IF NOT FOUND THEN RETURN; END IF;
      SELECT least(1, (SELECT min(epoch) FROM environment_changes WHERE environment_id = heir.environment_id),
          (SELECT min(base_epoch) FROM environment_branches WHERE base_environment_id = heir.environment_id))
        INTO least_epoch;
      PERFORM inherit_changes(gone, heir.environment_id, NULL, heir.base_epoch, least_epoch);
      FOR child IN SELECT b.* FROM environment_branches b JOIN environments e ON e.tenant_id = b.tenant_id AND e.id = b.environment_id
        WHERE b.base_environment_id = gone AND b.environment_id <> heir.environment_id AND e.status IN ('ready', 'promoting')
      LOOP
        IF child.base_epoch > heir.base_epoch THEN
          PERFORM inherit_changes(gone, child.environment_id, heir.base_epoch, child.base_epoch,
            (SELECT least(1, (SELECT min(epoch) FROM environment_changes WHERE environment_id = child.environment_id),
              (SELECT min(base_epoch) FROM environment_branches WHERE base_environment_id = child.environment_id))));
        END IF;
        UPDATE environment_branches SET base_environment_id = heir.environment_id,
            base_epoch = least(child.base_epoch - heir.base_epoch, 0) + least_epoch, number = least(child.number, heir.number)
          WHERE environment_id = child.environment_id;
      END LOOP;
      SELECT b.* INTO former FROM environment_branches b WHERE b.environment_id = gone;
      IF FOUND THEN
        UPDATE environment_branches SET base_environment_id = former.base_environment_id, base_epoch = former.base_epoch,
            number = former.number, copies_content = heir.copies_content AND former.copies_content
          WHERE environment_id = heir.environment_id;
      ELSE
        DELETE FROM environment_branches WHERE environment_id = heir.environment_id;
      END IF;
      DELETE FROM environment_branches WHERE environment_id = gone;
    END $$;
    COMMENT ON FUNCTION pass_on_branches IS 'The youngest branch takes the place of an environment that is deleted, with its journal; the others become its branches.';

    ${journaled.map(triggersOf).join('')}

    ${tenantWall('environment_branches')}
    ${tenantWall('environment_changes')}
    ${tenantWall('environment_epochs')}
    ${tenantWall('former_vocabularies')}
    ${grant('SELECT, USAGE', 'SEQUENCE common_version_number')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_epochs, environment_branches, environment_changes')}
    ${grant('SELECT, INSERT', 'former_vocabularies')}
    GRANT EXECUTE ON FUNCTION journal_branch(uuid, uuid) TO headwater_service;
    GRANT EXECUTE ON FUNCTION open_branch(uuid, uuid, uuid, boolean) TO headwater_service;
    GRANT EXECUTE ON FUNCTION pass_on_branches(uuid) TO headwater_service;
    GRANT EXECUTE ON FUNCTION inherit_changes(uuid, uuid, integer, integer, integer) TO headwater_service;
  `,
  down: `
    DROP FUNCTION ${journaled.flatMap(({ table }) => ['insert', 'delete', 'update'].map((verb) => nameOf(table, verb))).join(', ')} CASCADE;
    DROP TABLE former_vocabularies, environment_changes, environment_branches, environment_epochs CASCADE;
    DROP FUNCTION journal_branch, open_branch, pass_on_branches, inherit_changes CASCADE;
    DROP SEQUENCE common_version_number;
  `,
};
