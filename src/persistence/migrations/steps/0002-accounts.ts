import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Members and their roles, sessions, second factors, sign-on, links by mail, the mails themselves, and saved views of
 * users. Those who log in are found before a tenant is known, so platform work sees these rows.
 */
export const accounts: Migration = {
  name: '0002-accounts',
  up: `
    CREATE TABLE roles (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      description text,
      is_system boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT roles_project_key UNIQUE (tenant_id, project_id, id),
      CONSTRAINT roles_slug_key UNIQUE (tenant_id, project_id, slug),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );

    CREATE TABLE role_grants (
      tenant_id uuid NOT NULL,
      role_id uuid NOT NULL,
      id uuid NOT NULL,
      resource text NOT NULL,
      action text NOT NULL,
      scope jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, role_id, id),
      FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id) ON DELETE CASCADE
    );

    CREATE TABLE members (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      user_id uuid NOT NULL,
      is_suspended boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, project_id, user_id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    );
    CREATE INDEX members_user ON members (user_id);

    CREATE TABLE member_roles (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      user_id uuid NOT NULL,
      role_id uuid NOT NULL,
      PRIMARY KEY (tenant_id, project_id, user_id, role_id),
      CONSTRAINT member_roles_role_fkey FOREIGN KEY (tenant_id, project_id, role_id) REFERENCES roles (tenant_id, project_id, id),
      FOREIGN KEY (tenant_id, project_id, user_id) REFERENCES members (tenant_id, project_id, user_id) ON DELETE CASCADE
    );
    CREATE INDEX member_roles_role ON member_roles (tenant_id, role_id);

    CREATE TABLE sessions (
      tenant_id uuid,
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      network text,
      user_agent text,
      last_used_at timestamptz NOT NULL
    );
    CREATE INDEX sessions_expiry ON sessions (expires_at);
    CREATE INDEX sessions_user ON sessions (user_id);

    CREATE TABLE refresh_tokens (
      tenant_id uuid,
      token_hash bytea PRIMARY KEY,
      session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      used_at timestamptz
    );
    CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

    CREATE TABLE password_resets (
      tenant_id uuid NOT NULL,
      user_id uuid NOT NULL,
      token_hash bytea PRIMARY KEY,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      kind text NOT NULL DEFAULT 'reset' CHECK (kind IN ('reset', 'invitation')),
      project_id uuid,
      end_reason text CHECK (end_reason IN ('used', 'replaced', 'revoked')),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX password_resets_account ON password_resets (tenant_id, user_id);
    CREATE INDEX password_resets_expiry ON password_resets (expires_at);
    CREATE UNIQUE INDEX password_resets_live ON password_resets (user_id) WHERE end_reason IS NULL;

    CREATE TABLE saved_views (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      resource text NOT NULL,
      filters jsonb NOT NULL,
      columns text[] NOT NULL,
      order_by text,
      visibility text NOT NULL CHECK (visibility IN ('private', 'shared')),
      is_default boolean NOT NULL,
      owner_id uuid NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE UNIQUE INDEX saved_views_default_key ON saved_views (tenant_id, project_id, owner_id, resource) WHERE is_default;
    CREATE INDEX saved_views_project ON saved_views (tenant_id, project_id, updated_at DESC, id DESC);
    COMMENT ON COLUMN saved_views.owner_id IS 'Id of the user or key in created_by.';

    CREATE TABLE sign_ons (
      tenant_id uuid PRIMARY KEY REFERENCES tenants,
      issuer text,
      client_id text,
      client_secret text,
      label text,
      scopes text[] NOT NULL,
      groups_claim text NOT NULL,
      group_roles jsonb NOT NULL,
      creates_accounts boolean NOT NULL,
      requires_group boolean NOT NULL,
      allows_passwords boolean NOT NULL,
      is_active boolean NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK ((NOT is_active) OR ((issuer IS NOT NULL) AND (client_id IS NOT NULL))),
      CONSTRAINT sign_ons_check1 CHECK (allows_passwords OR is_active)
    );

    CREATE TABLE user_identities (
      tenant_id uuid NOT NULL,
      issuer text NOT NULL,
      subject text NOT NULL,
      user_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, issuer, subject),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX user_identities_user ON user_identities (tenant_id, user_id);

    CREATE TABLE mails (
      tenant_id uuid NOT NULL REFERENCES tenants,
      id uuid NOT NULL,
      user_id uuid,
      kind text NOT NULL,
      recipient text NOT NULL,
      recipient_name text NOT NULL,
      language text,
      payload jsonb NOT NULL,
      sealed_url text,
      status text NOT NULL DEFAULT 'pending',
      outcome text,
      attempts integer NOT NULL DEFAULT 0,
      claim uuid,
      next_attempt_at timestamptz NOT NULL,
      gives_up_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      completed_at timestamptz,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX mails_age ON mails (completed_at) WHERE status <> 'pending';
    CREATE INDEX mails_due ON mails (next_attempt_at, id) WHERE status = 'pending';
    CREATE INDEX mails_user ON mails (tenant_id, user_id);
    COMMENT ON COLUMN mails.sealed_url IS 'Links with a token are encrypted, and removed after the last attempt.';

    CREATE TABLE password_requests (
      id uuid PRIMARY KEY,
      email text NOT NULL,
      tenant_slug text,
      created_at timestamptz NOT NULL
    );

    CREATE TABLE second_factors (
      tenant_id uuid,
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      secret bytea NOT NULL,
      confirmed_at timestamptz,
      last_step integer,
      created_at timestamptz NOT NULL
    );
    COMMENT ON COLUMN second_factors.secret IS 'Encrypted.';
    COMMENT ON COLUMN second_factors.last_step IS 'Of the code that was accepted last; earlier ones are refused.';

    CREATE TABLE recovery_codes (
      tenant_id uuid,
      user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      used_at timestamptz,
      PRIMARY KEY (user_id, code_hash)
    );

    CREATE TABLE login_challenges (
      tenant_id uuid,
      token_hash bytea PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      failures integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX login_challenges_expiry ON login_challenges (expires_at);
    CREATE INDEX login_challenges_user ON login_challenges (user_id);

    CREATE FUNCTION find_member(wanted_user uuid, wanted_project text, seen_at timestamptz)
      RETURNS TABLE(id uuid, tenant_id uuid, name text, is_super_admin boolean, status text, project_id uuid, roles jsonb) LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE users u SET last_active_at = seen_at, status = CASE WHEN u.status = 'invited' THEN 'active' ELSE u.status END
        WHERE u.id = wanted_user AND u.status <> 'suspended'
          AND (u.last_active_at IS NULL OR u.last_active_at < seen_at - interval '5 minutes');
      RETURN QUERY
        SELECT u.id, u.tenant_id, u.name, u.is_super_admin, u.status, m.project_id,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'slug', r.slug, 'isSystem', r.is_system,
              'grants', (SELECT coalesce(jsonb_agg(jsonb_build_object('resource', g.resource, 'action', g.action, 'scope', g.scope)), '[]')
                 FROM role_grants g WHERE g.tenant_id = r.tenant_id AND g.role_id = r.id))), '[]')
           FROM member_roles x JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
           WHERE NOT m.is_suspended AND x.tenant_id = m.tenant_id AND x.project_id = m.project_id AND x.user_id = u.id)
        FROM users u
          LEFT JOIN projects p ON p.slug = wanted_project AND p.tenant_id = u.tenant_id
          LEFT JOIN members m ON m.tenant_id = u.tenant_id AND m.project_id = p.id AND m.user_id = u.id
        WHERE u.id = wanted_user;
      PERFORM set_config('headwater.platform', '', true);
    END $$;

    CREATE FUNCTION check_session(session uuid, seen_at timestamptz)
      RETURNS TABLE(is_ended boolean, needs_second_factor boolean) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE sessions SET last_used_at = seen_at
        WHERE id = session AND revoked_at IS NULL AND last_used_at < seen_at - interval '5 minutes';
      RETURN QUERY
        SELECT s.revoked_at IS NOT NULL, coalesce(t.require_second_factor, false) AND NOT EXISTS (
          SELECT FROM second_factors f WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL)
        FROM sessions s LEFT JOIN tenants t ON t.id = s.tenant_id WHERE s.id = session;
      PERFORM set_config('headwater.platform', '', true);
    END $$;

    ALTER TABLE password_requests ENABLE ROW LEVEL SECURITY;
    ALTER TABLE password_requests FORCE ROW LEVEL SECURITY;
    ${tenantWall('login_challenges', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('mails', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('member_roles', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('members', 'tenant_id', 'OR is_platform_work()')}
    CREATE POLICY platform_work ON password_requests FOR ALL
      USING (is_platform_work())
      WITH CHECK (is_platform_work());
    ${tenantWall('password_resets', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('recovery_codes', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('refresh_tokens', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('role_grants', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('roles', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('saved_views')}
    ${tenantWall('second_factors', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('sessions', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('sign_ons', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('user_identities', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'roles, role_grants, members, member_roles, sessions, refresh_tokens, password_resets, saved_views, mails, password_requests, second_factors, recovery_codes, login_challenges')}
    ${grant('SELECT, INSERT, UPDATE', 'sign_ons')}
    ${grant('SELECT, INSERT', 'user_identities')}
  `,
  down: `
    DROP FUNCTION find_member, check_session CASCADE;
    DROP TABLE login_challenges, recovery_codes, second_factors, password_requests, mails, user_identities,
      sign_ons, saved_views, password_resets, refresh_tokens, sessions, member_roles, members, role_grants,
      roles CASCADE;
  `,
};
