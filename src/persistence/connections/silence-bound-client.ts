import net from 'node:net';
import pg from 'pg';

/** Time for the server to acknowledge the end of a connection. */
const CLOSE_MS = 1000;

const SILENCE = 'ETIMEDOUT';

export const isSilence = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === SILENCE;

/**
 * Closes its connection when the server is silent for too long. pg's `query_timeout` would count the wait behind
 * earlier statements of a pipeline; its timer for each statement also keeps the rows from being freed young.
 */
export class SilenceBoundClient extends pg.Client {
  /** An idle connection may be silent. */
  isIdle = false;
  readonly #socket: net.Socket;
  #isEnding = false;

  constructor(config: pg.ClientConfig, silenceMs: number) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    socket.on('timeout', () => {
      if (this.isIdle && !this.#isEnding) return;
      const error = Object.assign(new Error('The database did not respond in time.'), { code: SILENCE });
      socket.destroy(this.#isEnding ? undefined : error);
    });
    this.limitSilence(silenceMs);
  }

  /** @param ms 0: no limit, for an idle connection */
  limitSilence(ms: number): void {
    this.#socket.setTimeout(ms);
  }

  /** Closes the connection without notifying the server. */
  destroy(): void {
    this.#socket.destroy();
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.#isEnding = true;
    this.limitSilence(CLOSE_MS);
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }
}

type ClientClass = new (config?: pg.ClientConfig) => SilenceBoundClient;

/** For pools, which make their clients themselves. */
export const silenceBound = (silenceMs: number): ClientClass =>
  class extends SilenceBoundClient {
    constructor(config?: pg.ClientConfig) {
      super(config ?? {}, silenceMs);
    }
  };

/** The driver for Sequelize, whose clients allow this much silence until they are prepared. */
export const silenceBoundDriver = (silenceMs: number): object => ({ ...pg, Client: silenceBound(silenceMs) });
