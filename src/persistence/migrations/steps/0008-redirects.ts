import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Paths compare by byte, so an index finds prefixes. Delivery reads as the reader role: a policy limits it to
 * active rows, a grant to public columns. No two indexes begin with environment and site: without statistics, after
 * an import, the planner would choose the wrong one.
 */
export const redirects: Migration = {
  name: '0008-redirects',
  up: `
    CREATE TABLE redirects (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      site_id uuid NOT NULL,
      source text COLLATE "C" NOT NULL,
      target text COLLATE "C" NOT NULL,
      status integer NOT NULL CHECK (status IN (301, 302, 307, 308)),
      match_type text NOT NULL CHECK (match_type IN ('exact', 'prefix', 'regex')),
      locale text,
      is_active boolean NOT NULL,
      origin text NOT NULL CHECK (origin IN ('manual', 'import', 'auto')),
      note text,
      hit_count integer NOT NULL DEFAULT 0,
      last_hit_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT redirects_source_key UNIQUE NULLS NOT DISTINCT (environment_id, source, site_id, locale),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, site_id) REFERENCES sites (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX redirects_updated ON redirects (environment_id, updated_at DESC, id DESC);
    CREATE INDEX redirects_created ON redirects (environment_id, created_at DESC, id DESC);
    CREATE INDEX redirects_target ON redirects (environment_id, target, site_id);
    CREATE INDEX redirects_patterns ON redirects (environment_id, site_id, created_at, id) WHERE match_type = 'regex';
    CREATE INDEX redirects_site ON redirects (site_id);

    ${tenantWall('redirects')}
    CREATE POLICY delivered ON redirects FOR SELECT TO headwater_reader USING (is_active);
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'redirects')}
    GRANT SELECT (environment_id, site_id, id, source, target, status, match_type, locale, is_active, created_at)
      ON redirects TO headwater_reader;
  `,
  down: 'DROP TABLE redirects;',
};
