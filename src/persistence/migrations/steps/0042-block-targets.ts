import type { Migration } from './migration.js';

/**
 * The index of links of published documents has what their blocks name too: one index less is written with each
 * publication. The function stays, as older processes call it beside newer ones.
 */
export const blockTargets: Migration = {
  name: '0042-block-targets',
  up: 'DROP INDEX published_block_targets;',
  down: 'CREATE INDEX published_block_targets ON published_entries USING gin (block_targets(blocks)) WHERE blocks IS NOT NULL;',
};
