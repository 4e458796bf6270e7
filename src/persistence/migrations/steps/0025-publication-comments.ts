import type { Migration } from './migration.js';

/** The comment of a publication or its withdrawal (rule entries/versions). */
export const publicationComments: Migration = {
  name: '0025-publication-comments',
  up: 'ALTER TABLE entry_publications ADD COLUMN comment text;',
  down: 'ALTER TABLE entry_publications DROP COLUMN comment;',
};
