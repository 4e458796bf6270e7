import type { Migration } from './migration.js';

/** Checked for each token of a session, before a tenant is known. */
export const endedSessions: Migration = {
  name: '0019-ended-sessions',
  up: `
    CREATE FUNCTION is_session_ended(session uuid) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE ended boolean;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      ended := EXISTS (SELECT FROM sessions WHERE id = session AND revoked_at IS NOT NULL);
      PERFORM set_config('headwater.platform', '', true);
      RETURN ended;
    END $$;
  `,
  down: 'DROP FUNCTION is_session_ended(uuid);',
};
