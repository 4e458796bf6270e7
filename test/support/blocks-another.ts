import type pg from 'pg';

const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';

/** Whether another connection waits for a lock that this one holds. */
export const blocksAnother = async (client: pg.Client): Promise<boolean> =>
  (await client.query(waiting)).rowCount !== 0;
