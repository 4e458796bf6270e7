import { grant, type Migration } from './migration.js';

/** Written by the readiness check after the database has refused a write. */
export const writeProbes: Migration = {
  name: '0032-write-probes',
  up: `
    CREATE TABLE write_probes (filler text NOT NULL);
    ALTER TABLE write_probes ALTER COLUMN filler SET STORAGE PLAIN;
    ${grant('INSERT, TRUNCATE', 'write_probes')}
  `,
  down: 'DROP TABLE write_probes;',
};
