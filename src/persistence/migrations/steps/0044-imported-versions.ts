import type { Migration } from './migration.js';

const which = `environment_id = imported_environment AND entry_id = imported_entry AND (numbers IS NULL OR version_num = ANY(numbers))
          AND tenant_id = current_tenant_id()`;

/** An import replaces its own versions of an entry by those of the source. Others cannot be deleted: versions are append-only. */
export const importedVersions: Migration = {
  name: '0044-imported-versions',
  up: `
    CREATE FUNCTION remove_imported_versions(imported_environment uuid, imported_entry uuid, numbers integer[]) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      DELETE FROM entry_publications WHERE ${which} AND version_num IN (SELECT v.version_num FROM entry_versions v
        WHERE v.environment_id = imported_environment AND v.entry_id = imported_entry
          AND v.change_type = 'import' AND v.created_by ->> 'id' IS NOT NULL);
      DELETE FROM entry_versions WHERE ${which} AND change_type = 'import' AND created_by ->> 'id' IS NOT NULL;
    END $$;
    COMMENT ON FUNCTION remove_imported_versions IS
      'The only way by which versions of an entry go: those of an import, with their publications. Null numbers are all.';
    REVOKE ALL ON FUNCTION remove_imported_versions(uuid, uuid, integer[]) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION remove_imported_versions(uuid, uuid, integer[]) TO headwater_service;
  `,
  down: `
    DROP FUNCTION remove_imported_versions(uuid, uuid, integer[]);
  `,
};
