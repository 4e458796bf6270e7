import type { Migration } from './migration.js';

/** Locales that content of a site must have, for health scores (rule localization/locales). */
export const requiredLocales: Migration = {
  name: '0074-required-locales',
  up: `
    ALTER TABLE sites ADD COLUMN required_locales text[] NOT NULL DEFAULT '{}';
    COMMENT ON COLUMN sites.required_locales IS 'Empty: the default locale.';
  `,
  down: 'ALTER TABLE sites DROP COLUMN required_locales;',
};
