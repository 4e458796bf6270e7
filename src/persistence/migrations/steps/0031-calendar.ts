import type { Migration } from './migration.js';

/** Finds publications by time. */
export const calendar: Migration = {
  name: '0031-calendar',
  up: 'CREATE INDEX entry_publications_calendar ON entry_publications (environment_id, at, entry_id);',
  down: 'DROP INDEX entry_publications_calendar;',
};
