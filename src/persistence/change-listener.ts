import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Coherence, HeartbeatLimits } from '../infrastructure/coherence.js';
import { primaryStatement, type LogPositions, type PrimaryState } from './connections/log-positions.js';
import { LIVE_CHANNEL, type LiveChannel } from '../infrastructure/live-channel.js';
import { settled } from '../infrastructure/promises.js';

export interface ChangeListenerOptions {
  /** The primary database. */
  readonly url: string;
  readonly coherence: Coherence;
  /** With replicas: learns what reads need. */
  readonly positions?: LogPositions | undefined;
  readonly live: LiveChannel;
  readonly limits: HeartbeatLimits;
  onError(error: Error): void;
}

const BEAT_MS = 250;
const RETRY_MS = { least: 50, most: 2000 } as const;

/**
 * Receives the changes of every process. Notifications precede the replies to later statements of their connection,
 * so a heartbeat's reply proves that everything committed before it was sent has arrived.
 */
export class ChangeListener {
  readonly #closing = new AbortController();
  #client: pg.Client | undefined;
  #work: Promise<void> | undefined;

  constructor(private readonly options: ChangeListenerOptions) {}

  /** Resolves after the first attempt to listen, successful or not. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#work = this.#keepListening(resolve);
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.options.coherence.onConnectionLost();
    await settled(this.#client?.end());
    await this.#work;
  }

  async #keepListening(onTried: () => void): Promise<void> {
    const { coherence, onError } = this.options;
    let pause: number = RETRY_MS.least;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listen(() => {
          pause = RETRY_MS.least;
          onTried();
        });
      } catch (error) {
        if (!this.#closing.signal.aborted) onError(error as Error);
      }
      coherence.onConnectionLost();
      onTried();
      await this.#pause(pause);
      pause = Math.min(pause * 2, RETRY_MS.most);
    }
  }

  /** Listens until the connection is lost. */
  async #listen(onHeard: () => void): Promise<void> {
    const { url, coherence, live, limits, positions } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'headwater_listener',
      connectionTimeoutMillis: 3000,
      query_timeout: limits.replyMs,
      keepAlive: true,
      // Statements on behalf of others follow heartbeats that are not answered yet.
      ...({ pipeline: true } as object),
    });
    this.#client = client;
    // The next heartbeat fails and reports it.
    client.on('error', () => {
      coherence.onConnectionLost();
    });
    client.on('end', () => {
      coherence.onConnectionLost();
    });
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === LIVE_CHANNEL) live.receive(payload);
      else coherence.onNotification(payload);
    });
    try {
      await client.connect();
      await client.query(`LISTEN headwater_purge; LISTEN ${LIVE_CHANNEL}`);
      live.connect((message) => client.query('SELECT pg_notify($1, $2)', [LIVE_CHANNEL, message]));
      positions?.connect(this.#asker(client, positions));
      // Changes before this moment are unknown.
      coherence.purgeAll();
      for (let isFirst = true; !this.#closing.signal.aborted; isFirst = false) {
        const sentAt = performance.now();
        if (positions === undefined) await client.query('SELECT 1');
        else await this.#learn(client, positions);
        coherence.onHeartbeat(sentAt);
        if (isFirst) onHeard();
        await this.#pause(BEAT_MS);
      }
    } finally {
      this.#client = undefined;
      live.connect(undefined);
      positions?.connect(() => undefined);
      coherence.onConnectionLost();
      await settled(client.end());
    }
  }

  async #learn(client: pg.Client, positions: LogPositions): Promise<void> {
    const { count } = positions;
    const { rows } = await client.query<PrimaryState>(primaryStatement);
    if (rows[0] !== undefined) positions.learn(rows[0], count);
  }

  /** Asks once at a time, and again for the changes that arrived since. */
  #asker(client: pg.Client, positions: LogPositions): () => void {
    let isAsking = false;
    const ask = (): void => {
      if (isAsking) return;
      isAsking = true;
      this.#learn(client, positions).then(
        () => {
          isAsking = false;
          if (positions.isOutdated) ask();
        },
        // The heartbeat reports it.
        () => {
          isAsking = false;
        },
      );
    };
    return ask;
  }

  async #pause(ms: number): Promise<void> {
    await settled(delay(ms, undefined, { signal: this.#closing.signal, ref: false }));
  }
}
