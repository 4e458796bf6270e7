import { purgeTagSql as tag } from '../../../infrastructure/cache-tags.js';
import { replacePurge } from '../../purge-triggers.js';
import { documentPurge } from './0022-purges.js';
import { emptiedTables, emptyEnvironment } from './0052-environment-deletion.js';
import { onlyMissingTexts } from './0070-published-texts.js';
import { grant, tenantWall, type Migration } from './migration.js';

const healthTables = ['health_issues', 'health_notes'];

/** An answer that a block does not exist ends with its first publication; one with a block depends on its owner. */
const withNewBlocks = (isUpdate: boolean) => ({
  ...documentPurge,
  tags: `${documentPurge.tags}
      UNION SELECT ${tag.entry('b.id')} FROM added a CROSS JOIN LATERAL jsonb_object_keys(a.blocks) AS b (id)
        ${isUpdate ? 'WHERE NOT EXISTS (SELECT FROM removed o WHERE o.entry_id = a.entry_id AND o.blocks ? b.id)' : ''}`,
});

/** Blocks belong to their entries; published documents have them beside their fields (rule entries/own-blocks). */
export const ownedBlocks: Migration = {
  name: '0078-owned-blocks',
  up: `
    CREATE TABLE owned_blocks (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      entry_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE owned_blocks IS 'Which entry has or had a block.';
    CREATE INDEX owned_blocks_entry ON owned_blocks (environment_id, entry_id);
    ${tenantWall('owned_blocks')}
    ${grant('SELECT, INSERT, DELETE', 'owned_blocks')}
    GRANT SELECT ON owned_blocks TO headwater_reader;
    CREATE POLICY delivered ON owned_blocks FOR SELECT TO headwater_reader USING (true);

    ALTER TABLE published_entries ADD COLUMN blocks jsonb;
    COMMENT ON COLUMN published_entries.blocks IS 'Own blocks on all levels: {id: {type: <id of the type>, fields}}.';
    CREATE FUNCTION block_targets(blocks jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(array_agg(DISTINCT ref #>> '{}'), '{}')
        FROM jsonb_path_query(blocks, 'strict $.**._ref', silent => true) AS ref
        WHERE NOT blocks ? (ref #>> '{}')
    $$;
    CREATE INDEX published_block_targets ON published_entries USING gin (block_targets(blocks)) WHERE blocks IS NOT NULL;
    ${replacePurge(withNewBlocks(false), 'INSERT')}
    ${replacePurge(withNewBlocks(true), 'UPDATE', onlyMissingTexts)}
    ${emptyEnvironment([...healthTables, ...emptiedTables.slice(0, -2), 'owned_blocks', ...emptiedTables.slice(-2)])}
  `,
  down: `
    ${emptyEnvironment([...healthTables, ...emptiedTables])}
    ${replacePurge(documentPurge, 'INSERT')}
    ${replacePurge(documentPurge, 'UPDATE', onlyMissingTexts)}
    DROP INDEX published_block_targets;
    ALTER TABLE published_entries DROP COLUMN blocks;
    DROP FUNCTION block_targets(jsonb);
    DROP TABLE owned_blocks;
  `,
};
