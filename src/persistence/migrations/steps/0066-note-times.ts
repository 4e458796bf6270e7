import type { Migration } from './migration.js';

/** When changes were noted, so that metrics show how long the oldest has waited. */
export const noteTimes: Migration = {
  name: '0066-note-times',
  up: `
    ALTER TABLE filter_notes ADD COLUMN noted_at timestamptz NOT NULL DEFAULT clock_timestamp();
    ALTER TABLE health_notes ADD COLUMN noted_at timestamptz NOT NULL DEFAULT clock_timestamp();
  `,
  down: `
    ALTER TABLE filter_notes DROP COLUMN noted_at;
    ALTER TABLE health_notes DROP COLUMN noted_at;
  `,
};
