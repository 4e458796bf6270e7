import type { ReadPool } from '../../persistence/connections/read-pool.js';

const isEnded = { name: 'is_session_ended', text: 'SELECT is_session_ended($1) AS "isEnded"' };

/** Finds sessions that ended before their tokens expired. */
export class SessionLookup {
  /** @param pool of the service role */
  constructor(private readonly pool: ReadPool) {}

  async isEnded(sessionId: string): Promise<boolean> {
    const [row] = await this.pool.run<{ isEnded: boolean }>(isEnded, [sessionId]);
    return row?.isEnded === true;
  }
}
