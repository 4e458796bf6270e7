import net from 'node:net';
import pg from 'pg';

/** Time for the server to acknowledge the end of a connection. */
const CLOSE_MS = 1000;

/**
 * Closes its connection when the server is silent for too long. pg's `query_timeout` would count the wait behind
 * earlier statements of a pipeline.
 */
export class SilenceBoundClient extends pg.Client {
  readonly #socket: net.Socket;
  #isEnding = false;

  constructor(config: pg.ClientConfig, silenceMs: number) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    socket.on('timeout', () => {
      const error = Object.assign(new Error('The database did not respond in time.'), { code: 'ETIMEDOUT' });
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

/** The driver for Sequelize, whose clients allow this much silence until they are prepared. */
export const silenceBoundDriver = (silenceMs: number): object => ({
  ...pg,
  Client: class extends SilenceBoundClient {
    constructor(config: pg.ClientConfig) {
      super(config, silenceMs);
    }
  },
});
