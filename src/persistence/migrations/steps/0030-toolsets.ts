import type { Migration } from './migration.js';

/** Groups of MCP tools that keys are limited to. */
export const toolsets: Migration = {
  name: '0030-toolsets',
  up: `ALTER TABLE api_keys ADD COLUMN toolsets text[] NOT NULL DEFAULT '{}';`,
  down: `ALTER TABLE api_keys DROP COLUMN toolsets;`,
};
