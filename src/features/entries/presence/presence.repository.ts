import { LIVE_CHANNEL } from '../../../infrastructure/live-channel.js';
import { PRESENCE_TOPIC, type PresencePosition } from '../../../infrastructure/presence-board.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** Places are sent, not stored: nothing is written for a repetition. */
export class PresenceRepository extends Repository {
  async announce(place: PresencePosition): Promise<void> {
    await this.query('SELECT pg_notify($1, $2)', [
      LIVE_CHANNEL,
      `${PRESENCE_TOPIC} ${JSON.stringify(place)}`,
    ]);
  }
}
