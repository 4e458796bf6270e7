import { grant, tenantWall, type Migration } from './migration.js';

const unforced = (run: string, ...tables: string[]): string => `
    ${tables.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join(' ')}
    ${run}
    ${tables.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join(' ')}`;

const secured = ['environments', 'environment_branches', 'environment_bases', 'promoted_rows'];

/** Kept bases name the pair of environments, as the bases do. */
const rewriteKept = `
    UPDATE promoted_rows p SET
      key = (p.key - 'branch_id') || ends.pair || '{"number": 0, "follows": false}',
      before = (SELECT json_agg((b.value - 'branch_id') || ends.pair || '{"number": 0}')
        FROM jsonb_array_elements(p.before::jsonb) AS b)
    FROM (SELECT environment_id, jsonb_build_object('low_id', least(environment_id, base_environment_id),
      'high_id', greatest(environment_id, base_environment_id)) AS pair FROM environment_branches) AS ends
    WHERE p.table_name = 'environment_bases' AND ends.environment_id = (p.key ->> 'branch_id')::uuid;
    DELETE FROM promoted_rows WHERE table_name = 'environment_bases' AND key ? 'branch_id';`;

/**
 * Any two environments that descend from one are compared, not only a branch and its base (rule environments/comparison): bases
 * belong to pairs of environments, and are numbered, so that the later of two is known.
 */
export const commonVersions: Migration = {
  name: '0073-common-versions',
  up: `
    CREATE SEQUENCE common_version_number;
    GRANT USAGE, SELECT ON SEQUENCE common_version_number TO headwater_service;

    ALTER TABLE environment_branches
      ADD COLUMN number bigint NOT NULL DEFAULT nextval('common_version_number'),
      ADD COLUMN copies_content boolean NOT NULL DEFAULT true;
    COMMENT ON COLUMN environment_branches.number IS 'Orders the states that two environments had in common.';
    COMMENT ON COLUMN environment_branches.copies_content IS 'False: it began with the schema of its base only.';

    ALTER TABLE environment_bases
      ADD COLUMN low_id uuid, ADD COLUMN high_id uuid,
      ADD COLUMN number bigint NOT NULL DEFAULT 0;
    ${unforced(
      `UPDATE environment_branches b SET number = o.number FROM (
         SELECT id, row_number() OVER (ORDER BY created_at, id) AS number FROM environments) AS o WHERE o.id = b.environment_id;
       SELECT setval('common_version_number', (SELECT count(*) + 1 FROM environments));
       UPDATE environment_branches b SET copies_content = false FROM environments e
         WHERE e.id = b.environment_id AND NOT EXISTS (SELECT FROM entries r WHERE r.environment_id = e.id AND r.created_at < e.created_at)
           AND NOT EXISTS (SELECT FROM media_assets r WHERE r.environment_id = e.id AND r.created_at < e.created_at)
           AND NOT EXISTS (SELECT FROM environment_changes c WHERE c.environment_id = e.id AND c.before IS NOT NULL
             AND c.kind IN ('entry', 'media', 'mediaFolder', 'treeNode', 'redirect'));
       UPDATE environment_bases s SET low_id = least(b.environment_id, b.base_environment_id),
           high_id = greatest(b.environment_id, b.base_environment_id), number = nextval('common_version_number')
         FROM environment_branches b WHERE b.environment_id = s.branch_id;
       DELETE FROM environment_bases WHERE low_id IS NULL;
       ${rewriteKept}`,
      ...secured,
      'entries',
      'media_assets',
      'environment_changes',
    )}
    ALTER TABLE environment_bases
      DROP COLUMN branch_id,
      ADD PRIMARY KEY (kind, item_id, low_id, high_id, part),
      ADD FOREIGN KEY (tenant_id, low_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      ADD FOREIGN KEY (tenant_id, high_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      ADD CHECK (low_id < high_id);
    CREATE INDEX environment_bases_low ON environment_bases (low_id);
    CREATE INDEX environment_bases_high ON environment_bases (high_id);
    COMMENT ON TABLE environment_bases IS
      'Items that were promoted: the last state that two environments had in common, from which comparisons of them start.';
    COMMENT ON COLUMN environment_bases.environment_id IS 'Whose names the row uses; it may be deleted.';
    COMMENT ON COLUMN environment_bases.number IS 'Orders the states that two environments had in common.';

    CREATE TABLE former_vocabularies (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      types jsonb NOT NULL,
      fields jsonb NOT NULL,
      renames jsonb NOT NULL,
      PRIMARY KEY (environment_id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE former_vocabularies IS 'Names in deleted environments, which rows of bases use.';
    ${tenantWall('former_vocabularies')}
    ${grant('SELECT, INSERT', 'former_vocabularies')}

    DROP FUNCTION open_branch(uuid, uuid, uuid);
    CREATE FUNCTION open_branch(tenant uuid, branch uuid, base uuid, with_content boolean) RETURNS void LANGUAGE sql AS $$
      WITH raised AS (
        INSERT INTO environment_epochs AS e (tenant_id, environment_id, epoch) VALUES (tenant, base, 1)
          ON CONFLICT (environment_id) DO UPDATE SET epoch = e.epoch + 1 RETURNING epoch)
      INSERT INTO environment_branches (tenant_id, environment_id, base_environment_id, base_epoch, copies_content)
        SELECT tenant, branch, base, epoch, with_content FROM raised
        ON CONFLICT (environment_id) DO UPDATE SET base_environment_id = excluded.base_environment_id,
          base_epoch = excluded.base_epoch, number = excluded.number, copies_content = excluded.copies_content $$;
    COMMENT ON FUNCTION open_branch IS
      'Journals the base from here on. Called while writers of the project are locked out and the snapshot of the copy is taken.';
    ${grant('EXECUTE', 'FUNCTION open_branch(uuid, uuid, uuid, boolean)')}

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
    COMMENT ON FUNCTION pass_on_branches IS
      'The youngest branch takes the place of an environment that is deleted, with its journal; the others become its branches.';
    CREATE FUNCTION inherit_changes(gone uuid, heir uuid, first_epoch integer, end_epoch integer, new_end integer)
      RETURNS void LANGUAGE sql AS $$
      INSERT INTO environment_changes (tenant_id, environment_id, epoch, kind, item_id, part, before, rename_number)
        SELECT tenant_id, heir, epoch - end_epoch + new_end, kind, item_id, part, before, rename_number FROM environment_changes
        WHERE environment_id = gone AND epoch < end_epoch AND epoch >= coalesce(first_epoch, epoch) $$;
    COMMENT ON FUNCTION inherit_changes IS 'Puts the changes of an environment before those of a branch of it.';
    ${grant('EXECUTE', 'FUNCTION pass_on_branches(uuid), inherit_changes(uuid, uuid, integer, integer, integer)')}
  `,
  down: `
    DROP FUNCTION pass_on_branches(uuid);
    DROP FUNCTION inherit_changes(uuid, uuid, integer, integer, integer);
    DROP FUNCTION open_branch(uuid, uuid, uuid, boolean);
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
    ${grant('EXECUTE', 'FUNCTION open_branch(uuid, uuid, uuid)')}
    DROP TABLE former_vocabularies;
    ALTER TABLE environment_bases ADD COLUMN branch_id uuid;
    ${unforced(
      `DELETE FROM promoted_rows WHERE table_name = 'environment_bases';
       DELETE FROM environment_bases s WHERE NOT EXISTS (SELECT FROM environments e WHERE e.id = s.environment_id AND e.id IN (s.low_id, s.high_id));
       UPDATE environment_bases s SET branch_id = b.environment_id FROM environment_branches b
         WHERE (b.environment_id, b.base_environment_id) IN ((s.low_id, s.high_id), (s.high_id, s.low_id));
       DELETE FROM environment_bases WHERE branch_id IS NULL;`,
      ...secured,
    )}
    ALTER TABLE environment_bases
      DROP COLUMN low_id,
      DROP COLUMN high_id,
      DROP COLUMN number,
      ADD PRIMARY KEY (branch_id, kind, item_id, part),
      ADD FOREIGN KEY (tenant_id, branch_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE;
    COMMENT ON TABLE environment_bases IS
      'Items of a branch and its base that were promoted: the state of the source at the time, which later comparisons start from.';
    COMMENT ON COLUMN environment_bases.environment_id IS 'The source, whose names the row uses.';
    ALTER TABLE environment_branches DROP COLUMN number, DROP COLUMN copies_content;
    DROP SEQUENCE common_version_number;
  `,
};
