import { grant, type Migration } from './migration.js';

/** Which process makes a rendition. A claim ends by itself when its process dies. */
export const renditionClaims: Migration = {
  name: '0029-rendition-claims',
  up: `
    CREATE TABLE rendition_claims (
      key text COLLATE "C" PRIMARY KEY,
      claimed_until timestamptz NOT NULL
    );
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'rendition_claims')}
  `,
  down: 'DROP TABLE rendition_claims;',
};
