import { bump } from './0003-content-model.js';
import { grant, tenantWall, type Migration } from './migration.js';

/** Named JSON Schemas for fields of the kind `custom`. */
export const customFieldTypes: Migration = {
  name: '0009-custom-field-types',
  up: `
    CREATE TABLE custom_field_types (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      api_name text NOT NULL,
      name text NOT NULL,
      description text,
      json_schema json NOT NULL,
      graphql_type_name text,
      default_value jsonb,
      editor jsonb,
      index_as text NOT NULL CHECK (index_as IN ('none', 'text', 'number', 'date')),
      version integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT custom_field_types_api_name_key UNIQUE (environment_id, api_name),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN custom_field_types.json_schema IS 'Not jsonb, which would lose the order of properties.';
    CREATE INDEX fields_custom_type ON fields (environment_id, (settings ->> 'customFieldType')) WHERE type = 'custom';

    ${bump('custom_field_types', 'environment_id')}
    ${tenantWall('custom_field_types')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'custom_field_types')}
  `,
  down: 'DROP INDEX fields_custom_type; DROP TABLE custom_field_types;',
};
