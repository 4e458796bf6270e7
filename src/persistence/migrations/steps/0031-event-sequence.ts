import { grant, type Migration } from './migration.js';

/**
 * Numbers of events. A change holds the lock of its subject until it is committed and takes its number with its last
 * statement, so that later changes of a subject have higher numbers.
 */
export const eventSequence: Migration = {
  name: '0031-event-sequence',
  up: `
    CREATE SEQUENCE event_sequence;
    ${grant('SELECT, USAGE', 'SEQUENCE event_sequence')}
    ALTER TABLE outbox_events ADD COLUMN sequence bigint NOT NULL DEFAULT nextval('event_sequence');
  `,
  down: `
    ALTER TABLE outbox_events DROP COLUMN sequence;
    DROP SEQUENCE event_sequence;
  `,
};
