import type { Migration } from './migration.js';

/** Events of what users change in several projects at once, such as the end of a connection: units of work on the platform emit them. */
export const platformEvents: Migration = {
  name: '0040-platform-events',
  up: 'CREATE POLICY platform ON outbox_events FOR INSERT WITH CHECK (is_platform_work());',
  down: 'DROP POLICY platform ON outbox_events;',
};
