import { endedSessions } from './0019-ended-sessions.js';
import type { Migration } from './migration.js';

/** What users set for themselves, and where their sessions were used. */
export const ownAccount: Migration = {
  name: '0087-own-account',
  up: `
    ALTER TABLE users ADD COLUMN language text, ADD COLUMN time_zone text,
      ADD COLUMN theme text CHECK (theme IN ('light', 'dark'));
    ALTER TABLE sessions ADD COLUMN network text, ADD COLUMN user_agent text, ADD COLUMN last_used_at timestamptz;
    SELECT set_config('headwater.platform', 'on', true);
    UPDATE sessions SET last_used_at = created_at;
    SELECT set_config('headwater.platform', '', true);
    ALTER TABLE sessions ALTER COLUMN last_used_at SET NOT NULL;

    DROP FUNCTION is_session_ended(uuid);
    CREATE FUNCTION is_session_ended(session uuid, seen_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE ended boolean;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE sessions SET last_used_at = seen_at
        WHERE id = session AND revoked_at IS NULL AND last_used_at < seen_at - interval '5 minutes';
      ended := EXISTS (SELECT FROM sessions WHERE id = session AND revoked_at IS NOT NULL);
      PERFORM set_config('headwater.platform', '', true);
      RETURN ended;
    END $$;
  `,
  down: `
    DROP FUNCTION is_session_ended(uuid, timestamptz);
    ${endedSessions.up}
    ALTER TABLE sessions DROP COLUMN last_used_at, DROP COLUMN user_agent, DROP COLUMN network;
    ALTER TABLE users DROP COLUMN theme, DROP COLUMN time_zone, DROP COLUMN language;
  `,
};
