import net from 'node:net';
import pg from 'pg';

export type DatabaseRole = 'headwater_service' | 'headwater_reader';

/** How long to wait for the database, in ms, before failing with 503. */
export interface DatabaseTimeouts {
  /** For a connection, new or pooled. */
  readonly connectionMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  /** Between the statements of a transaction: longer, the server closes its connection. */
  readonly idleMs: number;
}

/** Time without an answer to a statement after which its connection is closed: the server's own limit has passed. */
export const silenceLimit = ({ statementMs }: Pick<DatabaseTimeouts, 'statementMs'>): number =>
  statementMs + 1000;

/** The limits for requests. */
export const defaultTimeouts: DatabaseTimeouts = {
  connectionMs: 3000,
  statementMs: 5000,
  lockMs: 2000,
  idleMs: 10_000,
};

function settingsOf(
  set: string,
  role: DatabaseRole,
  { statementMs, lockMs, idleMs }: DatabaseTimeouts,
): string {
  return `${set} ROLE ${role}; ${set} statement_timeout = ${statementMs}; ${set} lock_timeout = ${lockMs};
    ${set} idle_in_transaction_session_timeout = ${idleMs}; ${set} client_min_messages = 'warning'; ${set} timezone = 'UTC';
    ${set} max_parallel_workers_per_gather = 0; ${set} jit = off;`;
}

/**
 * First statement of every pooled connection. Timeouts bound what one request can hold; the role drops the owner's
 * rights. Parallel workers and JIT cost more than they save here.
 */
export function sessionSettings(role: DatabaseRole, timeouts: DatabaseTimeouts = defaultTimeouts): string {
  const readOnly = role === 'headwater_reader' ? 'SET default_transaction_read_only = on;' : '';
  return `${settingsOf('SET', role, timeouts)} ${readOnly}`;
}

/** The same for one transaction, where a connection keeps no session: follows BEGIN. */
export function transactionSettings(
  role: DatabaseRole,
  timeouts: DatabaseTimeouts = defaultTimeouts,
): string {
  const readOnly = role === 'headwater_reader' ? ' SET TRANSACTION READ ONLY;' : '';
  return `${readOnly} ${settingsOf('SET LOCAL', role, timeouts)}`;
}

/** Finds roles that bypass row-level security. */
export const EFFECTIVE_ROLE_CHECK = `
  SELECT current_user AS role, r.rolsuper OR r.rolbypassrls AS unbound,
    EXISTS (SELECT FROM pg_class c WHERE c.relname = 'entries' AND c.relowner = r.oid) AS owner
  FROM pg_roles r WHERE r.rolname = current_user`;

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

/**
 * The driver for Sequelize, whose clients connect to this URL and allow this much silence until they are prepared.
 * Sequelize would read the URL with a function of Node that is deprecated.
 */
export function silenceBoundDriver(url: string, silenceMs: number): object {
  const Client = class extends SilenceBoundClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: url }, silenceMs);
    }
  };
  return { ...pg, Client };
}
