import type { Migration } from './migration.js';

/**
 * With statistics from before a bulk write, look-ups by site and path used the index of the site alone and read every
 * redirect of the site for each path.
 */
export const redirectPlans: Migration = {
  name: '0034-redirect-plans',
  up: 'DROP INDEX redirects_site;',
  down: 'CREATE INDEX redirects_site ON redirects (site_id);',
};
