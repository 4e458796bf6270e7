import type { Migration } from './migration.js';

/**
 * Published documents whose values and text have up to 4 KB together stay within their row, two to a page. Rows that are
 * there keep their form until they are published again.
 */
export const publishedRows: Migration = {
  name: '0067-published-rows',
  up: 'ALTER TABLE published_entries SET (toast_tuple_target = 4080)',
  down: 'ALTER TABLE published_entries RESET (toast_tuple_target)',
};
