/** What a failure of the database means for the caller. */
export type FailureKind = 'unavailable' | 'retry' | 'conflict' | 'invalid' | 'unexpected';

/**
 * A failure of the database without its SQL, file names or values. `constraint` names the rule that
 * a 23xxx failure broke, so that a repository can give it its own error code.
 */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';

  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;

  constructor(
    readonly kind: FailureKind,
    cause: unknown,
    facts: { sqlState?: string; constraint?: string | undefined } = {},
  ) {
    super(`database failure: ${kind}${facts.sqlState === undefined ? '' : ` (${facts.sqlState})`}`, {
      cause,
    });
    this.sqlState = facts.sqlState;
    this.constraint = facts.constraint;
  }
}

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
};
const connectionTrouble =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|Connection terminated|connection is closed|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|ResourceRequest timed out|Cannot use a pool after calling end|ConnectionManager\.getConnection was called after/i;

interface Layered {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
  readonly original?: unknown;
  readonly parent?: unknown;
  readonly name?: unknown;
}

/** Finds the driver's own error below an ORM's wrapper. */
function innermost(error: unknown): Layered {
  let layer = error as Layered;
  for (let depth = 0; depth < 5; depth += 1) {
    const next = (layer.original ?? layer.parent) as Layered | undefined;
    if (typeof next !== 'object' || next === null) break;
    layer = next;
  }
  return layer;
}

/** Reads an error of pg or Sequelize; anything that is not one is undefined. */
export function toDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  if (error instanceof DatabaseFailure) return error;
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, constraint, message } = innermost(error);
  const name = typeof constraint === 'string' ? constraint : undefined;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    const kind = kindsByState[code] ?? kindsByClass[code.slice(0, 2)] ?? 'unexpected';
    return new DatabaseFailure(kind, error, { sqlState: code, constraint: name });
  }
  const outer = error as Layered;
  const text = `${typeof code === 'string' ? code : ''} ${String(message)} ${String(outer.message)} ${String(outer.name)}`;
  if (connectionTrouble.test(text) || /^Sequelize(Connection|ConnectionAcquire)/.test(String(outer.name))) {
    return new DatabaseFailure('unavailable', error);
  }
  if (typeof outer.name === 'string' && outer.name.startsWith('Sequelize')) {
    return new DatabaseFailure('unexpected', error);
  }
  return undefined;
}
