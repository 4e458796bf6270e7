import type { Migration } from './migration.js';

const revoked = 'OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL';

/** A change of what the user or key in a column may do. */
type Change = readonly [table: string, column: string, when: string, condition?: string];

const changes: readonly Change[] = [
  [
    'users',
    'id',
    'UPDATE OF status, is_super_admin, is_tenant_owner',
    '(OLD.status, OLD.is_super_admin, OLD.is_tenant_owner) <> (NEW.status, NEW.is_super_admin, NEW.is_tenant_owner)',
  ],
  ['users', 'id', 'DELETE'],
  ['members', 'user_id', 'UPDATE OF is_suspended', 'OLD.is_suspended <> NEW.is_suspended'],
  ['members', 'user_id', 'DELETE'],
  ['member_roles', 'user_id', 'INSERT OR DELETE'],
  ['sessions', 'user_id', 'UPDATE OF revoked_at', revoked],
  ['personal_keys', 'user_id', 'UPDATE OF revoked_at', revoked],
  ['api_keys', 'id', 'UPDATE', "to_jsonb(OLD) - 'last_used_at' <> to_jsonb(NEW) - 'last_used_at'"],
  ['api_keys', 'id', 'DELETE'],
];

const trigger = ([table, column, when, condition = 'true']: Change): string => `
    CREATE TRIGGER note_access_${when.split(' ')[0]?.toLowerCase() ?? ''} AFTER ${when} ON ${table}
      FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION note_access('${column}');`;

/**
 * Notifies every process, with the commit, of users and keys whose rights or sessions changed, so that their open
 * streams are checked at once. Triggers do it, so that no write omits it.
 */
export const accessNotices: Migration = {
  name: '0032-access-notices',
  up: `
    CREATE FUNCTION note_access() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('headwater_live', 'access:' || (coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> TG_ARGV[0]));
      RETURN NULL;
    END $$;
    ${changes.map(trigger).join('')}

    CREATE FUNCTION note_access_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('headwater_live', 'access:' || m.user_id) FROM member_roles m
        WHERE m.tenant_id = coalesce(NEW.tenant_id, OLD.tenant_id) AND m.role_id = coalesce(NEW.role_id, OLD.role_id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_access AFTER INSERT OR UPDATE OR DELETE ON role_grants
      FOR EACH ROW EXECUTE FUNCTION note_access_of_role();
  `,
  down: 'DROP FUNCTION note_access, note_access_of_role CASCADE;',
};
