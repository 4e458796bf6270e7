import { grant, tenantWall, type Migration } from './migration.js';

/** Changes that are published together. Items outlive what they name. */
export const releases: Migration = {
  name: '0025-releases',
  up: `
    CREATE TABLE releases (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text,
      status text NOT NULL CHECK (status IN ('open', 'scheduled', 'published', 'failed', 'rolled_back')),
      requires_approval jsonb,
      job_id uuid,
      scheduled_at timestamptz,
      timezone text,
      error jsonb,
      published_at timestamptz,
      published_by jsonb,
      rolled_back_at timestamptz,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      updated_by jsonb NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX releases_updated ON releases (environment_id, updated_at, id);

    CREATE TABLE release_items (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      release_id uuid NOT NULL,
      id uuid NOT NULL,
      position integer NOT NULL,
      kind text NOT NULL CHECK (kind IN ('entry', 'redirect', 'treeMove', 'media')),
      subject text NOT NULL,
      entry_id uuid,
      locale text,
      action text,
      pinned_version integer,
      change jsonb NOT NULL,
      replaced jsonb,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, release_id) REFERENCES releases (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN release_items.subject IS 'What it changes: an entry in a locale, a redirect, a node or an asset.';
    COMMENT ON COLUMN release_items.change IS 'Of redirects, nodes and assets, as callers gave it.';
    COMMENT ON COLUMN release_items.replaced IS 'What the publication replaced and what it put there; null if it changed nothing.';
    CREATE UNIQUE INDEX release_items_subject_key ON release_items (environment_id, release_id, subject);
    CREATE INDEX release_items_subjects ON release_items (environment_id, subject);

    CREATE TABLE release_approvals (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      release_id uuid NOT NULL,
      user_id uuid NOT NULL,
      by jsonb NOT NULL,
      at timestamptz NOT NULL,
      comment text,
      seen text NOT NULL,
      PRIMARY KEY (environment_id, release_id, user_id),
      FOREIGN KEY (environment_id, release_id) REFERENCES releases (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN release_approvals.seen IS 'Hash of the items and of the drafts that are not pinned.';

    ${tenantWall('releases')}
    ${tenantWall('release_items')}
    ${tenantWall('release_approvals')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'releases, release_items, release_approvals')}
  `,
  down: 'DROP TABLE release_approvals, release_items, releases;',
};
