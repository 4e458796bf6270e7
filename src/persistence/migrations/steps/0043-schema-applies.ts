import { grant, tenantWall, type Migration } from './migration.js';

/** The last apply of a schema to each environment, for its undo. */
export const schemaApplies: Migration = {
  name: '0043-schema-applies',
  up: `
    CREATE TABLE schema_applies (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL PRIMARY KEY,
      id uuid NOT NULL,
      before jsonb NOT NULL,
      after jsonb NOT NULL,
      renames jsonb NOT NULL,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN schema_applies.before IS 'The sections that the document had.';
    COMMENT ON COLUMN schema_applies.renames IS 'Steps of the apply that renamed.';
    ${tenantWall('schema_applies')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'schema_applies')}
  `,
  down: 'DROP TABLE schema_applies;',
};
