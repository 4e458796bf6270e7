import { grant, type Migration } from './migration.js';
import { notePurge } from './0021-purges.js';

/**
 * What caches in front of the service have to drop, noted in the transaction of the change. Nothing is noted unless a
 * worker has said that such caches are purged: `edge_purging` then has its row.
 */
export const edgePurges: Migration = {
  name: '0037-edge-purges',
  up: `
    CREATE TABLE edge_purging (is_on boolean PRIMARY KEY CHECK (is_on));
    ${grant('SELECT, INSERT, DELETE', 'edge_purging')}

    CREATE TABLE edge_purges (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id uuid DEFAULT current_tenant_id(),
      tags text[] NOT NULL,
      noted_at timestamptz NOT NULL DEFAULT now(),
      due_at timestamptz NOT NULL DEFAULT now(),
      is_sent boolean NOT NULL DEFAULT false
    );
    CREATE INDEX edge_purges_due ON edge_purges (due_at, id);
    COMMENT ON COLUMN edge_purges.is_sent IS 'Sent once, and due once more.';
    ALTER TABLE edge_purges ENABLE ROW LEVEL SECURITY;
    ALTER TABLE edge_purges FORCE ROW LEVEL SECURITY;
    CREATE POLICY noted ON edge_purges FOR INSERT WITH CHECK (true);
    CREATE POLICY sent ON edge_purges FOR ALL USING (is_platform_work());
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'edge_purges')}

    CREATE OR REPLACE ${notePurge(`
      IF EXISTS (SELECT FROM edge_purging) THEN
        INSERT INTO edge_purges (tags) VALUES (note_purge.tags);
      END IF;`)}
  `,
  down: `
    CREATE OR REPLACE ${notePurge()}
    DROP TABLE edge_purges, edge_purging;
  `,
};
