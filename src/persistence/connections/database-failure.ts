/** What a database failure means for the caller. */
export type FailureKind = 'unavailable' | 'retry' | 'conflict' | 'invalid' | 'unexpected';

/**
 * Carries no SQL, file names or values. `constraint` names a violated constraint (23xxx), so that a repository can
 * map it.
 */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';

  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;
  /** Whether the transaction may have been committed: the connection was lost before COMMIT was answered. */
  readonly isOutcomeUnknown: boolean;

  constructor(
    readonly kind: FailureKind,
    cause: unknown,
    facts: { sqlState?: string; constraint?: string | undefined; isOutcomeUnknown?: true } = {},
  ) {
    const { sqlState, constraint, isOutcomeUnknown = false } = facts;
    const notes = [sqlState ?? [], isOutcomeUnknown ? 'outcome unknown' : []].flat().join(', ');
    super(`database failure: ${kind}${notes === '' ? '' : ` (${notes})`}`, { cause });
    this.sqlState = sqlState;
    this.constraint = constraint;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** SQL state of a write to a read-only database, or in a read-only transaction. */
export const READ_ONLY = '25006';

const kindsByClass: Readonly<Record<string, FailureKind>> = {
  '08': 'unavailable', // connection
  '22': 'invalid', // data
  '23': 'conflict', // integrity
  '53': 'unavailable', // resources
  '54': 'invalid', // limits
  '55': 'unavailable', // lock not available
  '57': 'unavailable', // shutdown, cancelled by a timeout
};
const kindsByState: Readonly<Record<string, FailureKind>> = {
  '40001': 'retry',
  '40P01': 'retry',
  '25P03': 'unavailable', // idle in transaction for too long
  '25P04': 'unavailable',
  '55000': 'unexpected',
  '58030': 'unavailable', // input or output error
};

/** The drivers report lost connections without a code. */
const connectionTrouble =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|ConnectionManager\.getConnection was called after|Operation timeout)/;

/** pg's message for a statement that it did not send. */
const UNSENT = /^Client (?:has encountered a connection error|was closed)/;

const networkCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

interface Layered {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
  readonly original?: unknown;
  readonly parent?: unknown;
  readonly name?: unknown;
}

/** The driver's error inside an ORM's. */
function innermost(error: unknown): Layered {
  let layer = error as Layered;
  for (let depth = 0; depth < 5; depth += 1) {
    const next = (layer.original ?? layer.parent) as Layered | undefined;
    if (typeof next !== 'object' || next === null) break;
    layer = next;
  }
  return layer;
}

function isConnectionTrouble({ code, message, name }: Layered): boolean {
  if (networkCodes.has(code)) return true;
  if (typeof name === 'string' && name.startsWith('SequelizeConnection')) return true;
  return typeof message === 'string' && connectionTrouble.test(message);
}

/** Undefined for errors of neither pg nor Sequelize. */
export function toDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  if (error instanceof DatabaseFailure) return error;
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, constraint, message } = innermost(error);
  const outer = error as Layered;
  if (isConnectionTrouble({ code, message, name: outer.name }))
    return new DatabaseFailure('unavailable', error);
  // Distinguishes an SQL state from a system's error code.
  if (typeof code === 'string' && /^(?:[0-9]|XX|HV|P0)[0-9A-Z]{3,4}$/.test(code) && code.length === 5) {
    const kind = kindsByState[code] ?? kindsByClass[code.slice(0, 2)] ?? 'unexpected';
    const name = typeof constraint === 'string' ? constraint : undefined;
    return new DatabaseFailure(kind, error, { sqlState: code, constraint: name });
  }
  if (typeof outer.name === 'string' && outer.name.startsWith('Sequelize')) {
    return new DatabaseFailure('unexpected', error);
  }
  return undefined;
}

/** States with which a server ends a session: it may do so after it has committed. */
const sessionEnds = /^(?:08|57P0)/;

/** Whether a statement was sent and the connection was lost without its result. */
export function isResultUnknown(error: unknown): boolean {
  const failure = toDatabaseFailure(error);
  if (failure?.kind !== 'unavailable') return false;
  if (failure.sqlState !== undefined) return sessionEnds.test(failure.sqlState);
  return !UNSENT.test(String(innermost(error).message));
}
