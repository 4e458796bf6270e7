import { describe, expect, it } from '@jest/globals';
import { purgeTags, purgeTagSql } from '../../src/infrastructure/cache-tags.js';
import { attachPurge, detachPurge } from '../../src/persistence/migrations/steps/0021-purges.js';

describe('purge triggers', () => {
  it('creates purge triggers for insert, update and delete, and drops them again', () => {
    const purge = { table: 'assets', tags: 'SELECT 1 AS tag', coarse: 'SELECT 2 AS tag' };
    for (const verb of ['insert', 'update', 'delete']) {
      expect(attachPurge(purge)).toContain(
        `CREATE TRIGGER purge_assets_${verb} AFTER ${verb.toUpperCase()} ON assets`,
      );
      expect(detachPurge(purge)).toContain(`DROP TRIGGER purge_assets_${verb} ON assets`);
    }
  });
});

describe('purge tags', () => {
  it.each(Object.keys(purgeTags) as (keyof typeof purgeTags)[])(
    'uses one tag prefix in code and SQL: %s',
    (name) => {
      const [prefix = ''] = /^.+?:/.exec(purgeTags[name]('1', '2')) ?? [];
      expect(purgeTagSql[name]('a', 'b').startsWith(`'${prefix}' || a`)).toBe(true);
    },
  );
});
