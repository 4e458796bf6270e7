import { grant, type Migration } from './migration.js';

const isOfImport = "change_type = 'import' AND created_by ->> 'id' IS NOT NULL";

/** An import replaces its own versions of an entry by those of the source. Others cannot be deleted. */
export const importedVersions: Migration = {
  name: '0044-imported-versions',
  up: `
    CREATE POLICY of_import ON entry_versions AS RESTRICTIVE FOR DELETE TO headwater_service USING (${isOfImport});
    CREATE POLICY of_import ON entry_publications AS RESTRICTIVE FOR DELETE TO headwater_service
      USING (EXISTS (SELECT FROM entry_versions v WHERE v.environment_id = entry_publications.environment_id
        AND v.entry_id = entry_publications.entry_id AND v.version_num = entry_publications.version_num
        AND v.change_type = 'import' AND v.created_by ->> 'id' IS NOT NULL));
    ${grant('DELETE', 'entry_versions, entry_publications')}
  `,
  down: `
    REVOKE DELETE ON entry_versions, entry_publications FROM headwater_service;
    DROP POLICY of_import ON entry_versions;
    DROP POLICY of_import ON entry_publications;
  `,
};
