import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { purgeTags, purgeTagSql } from '../../src/infrastructure/cache-tags.js';
import { attachPurge, detachPurge } from '../../src/persistence/purge-triggers.js';
import { purges } from '../../src/persistence/migrations/steps/0022-purges.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('purge triggers', () => {
  it('creates purge triggers with the SQL of their original migration', () => {
    expect([sha256(purges.up), sha256(purges.down)]).toEqual([
      '959a11a9f4a371f6ed67feee4a2caaf97b0e8afabf0318bdda7050a1d4def630',
      '1ee39c90443744cc27654ee38b5908d85fcebab011f75af2b5e8d6db6049bc69',
    ]);
  });

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
