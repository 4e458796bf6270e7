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

/**
 * First statement of every pooled connection. Timeouts bound what one request can hold; the role drops the owner's
 * rights. Parallel workers and JIT cost more than they save here.
 */
export function sessionSettings(role: DatabaseRole, timeouts: DatabaseTimeouts = defaultTimeouts): string {
  const { statementMs, lockMs, idleMs } = timeouts;
  const readOnly = role === 'headwater_reader' ? 'SET default_transaction_read_only = on;' : '';
  return `SET ROLE ${role}; SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs};
    SET idle_in_transaction_session_timeout = ${idleMs}; SET client_min_messages = 'warning'; SET timezone = 'UTC';
    SET max_parallel_workers_per_gather = 0; SET jit = off; ${readOnly}`;
}

/** Finds roles that bypass row-level security. */
export const EFFECTIVE_ROLE_CHECK = `
  SELECT current_user AS role, r.rolsuper OR r.rolbypassrls AS unbound,
    EXISTS (SELECT FROM pg_class c WHERE c.relname = 'entries' AND c.relowner = r.oid) AS owner
  FROM pg_roles r WHERE r.rolname = current_user`;
