/** The database roles that the process works as. */
export type DatabaseRole = 'headwater_service' | 'headwater_reader';

/** How long work waits for the database, in ms, before it is given up with 503. */
export interface DatabaseTimeouts {
  /** For a connection, new or out of the pool. */
  readonly connectionMs: number;
  /** For the end of one statement. */
  readonly statementMs: number;
  /** For somebody else's lock. */
  readonly lockMs: number;
}

/** As long as somebody who asked for something may be made to wait. */
export const defaultTimeouts: DatabaseTimeouts = { connectionMs: 3000, statementMs: 5000, lockMs: 2000 };

/**
 * What every pooled connection says first. The timeouts bound what one request can hold; the role
 * takes away what a connection string's owner could do. Starting workers and compiling take longer
 * than a request's statement should.
 */
export function sessionSettings(role: DatabaseRole, timeouts: DatabaseTimeouts = defaultTimeouts): string {
  const { statementMs, lockMs } = timeouts;
  const readOnly = role === 'headwater_reader' ? 'SET default_transaction_read_only = on;' : '';
  return `SET ROLE ${role}; SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs};
    SET idle_in_transaction_session_timeout = '10s'; SET client_min_messages = 'warning'; SET timezone = 'UTC';
    SET max_parallel_workers_per_gather = 0; SET jit = off; ${readOnly}`;
}

/** Refuses a role that row-level security does not bind: superusers and those who bypass it. */
export const EFFECTIVE_ROLE_CHECK = `
  SELECT current_user AS role, r.rolsuper OR r.rolbypassrls AS unbound,
    EXISTS (SELECT FROM pg_class c WHERE c.relname = 'entries' AND c.relowner = r.oid) AS owner
  FROM pg_roles r WHERE r.rolname = current_user`;
