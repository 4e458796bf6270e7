import { grant, tenantWall, type Migration } from './migration.js';

/** A UUIDv7 in SQL. */
export const newId = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
  substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`;

const systemRoles = ['Owner', 'Admin', 'Developer', 'Editor', 'Author', 'Translator', 'Viewer']
  .map((name, position) => `('${name.toLowerCase()}', '${name}', ${String(position)})`)
  .join(', ');

/**
 * Roles, their grants and members; system roles are in the code. The gate reads a user's membership and grants with
 * one function before a tenant is known.
 */
export const members: Migration = {
  name: '0016-members',
  up: `
    ALTER TABLE tenants ADD COLUMN limits jsonb NOT NULL DEFAULT '{}';
    ALTER TABLE users ADD COLUMN avatar_url text, ADD COLUMN last_active_at timestamptz,
      ADD COLUMN is_tenant_owner boolean NOT NULL DEFAULT false;
    ALTER TABLE users ADD CONSTRAINT users_tenant_key UNIQUE (tenant_id, id);

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
      CONSTRAINT roles_slug_key UNIQUE (tenant_id, project_id, slug),
      CONSTRAINT roles_project_key UNIQUE (tenant_id, project_id, id),
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
      FOREIGN KEY (tenant_id, project_id, user_id) REFERENCES members (tenant_id, project_id, user_id) ON DELETE CASCADE,
      CONSTRAINT member_roles_role_fkey FOREIGN KEY (tenant_id, project_id, role_id) REFERENCES roles (tenant_id, project_id, id)
    );
    CREATE INDEX member_roles_role ON member_roles (tenant_id, role_id);

    ${tenantWall('roles', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('role_grants', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('members', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('member_roles', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'roles, role_grants, members, member_roles')}

    SELECT set_config('headwater.platform', 'on', true);
    INSERT INTO roles (tenant_id, project_id, id, slug, name, is_system, created_at, updated_at)
      SELECT p.tenant_id, p.id, ${newId}, r.slug, r.name, true,
        p.created_at + r.position * interval '1 millisecond', p.created_at + r.position * interval '1 millisecond'
      FROM projects p CROSS JOIN (VALUES ${systemRoles}) AS r (slug, name, position) ORDER BY p.id, r.position;
    SELECT set_config('headwater.platform', '', true);

    CREATE FUNCTION find_member(wanted_user uuid, wanted_project text, seen_at timestamptz)
      RETURNS TABLE (id uuid, tenant_id uuid, name text, is_super_admin boolean, status text, project_id uuid, roles jsonb)
      LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE users u SET last_active_at = seen_at, status = CASE WHEN u.status = 'invited' THEN 'active' ELSE u.status END
        WHERE u.id = wanted_user AND u.status <> 'suspended'
          AND (u.last_active_at IS NULL OR u.last_active_at < seen_at - interval '5 minutes');
      RETURN QUERY
        SELECT u.id, u.tenant_id, u.name, u.is_super_admin, u.status, m.project_id,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', r.slug, 'isSystem', r.is_system,
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
  `,
  down: `
    DROP FUNCTION find_member(uuid, text, timestamptz);
    DROP TABLE member_roles, members, role_grants, roles;
    ALTER TABLE users DROP CONSTRAINT users_tenant_key;
    ALTER TABLE users DROP COLUMN is_tenant_owner, DROP COLUMN last_active_at, DROP COLUMN avatar_url;
    ALTER TABLE tenants DROP COLUMN limits;
  `,
};
