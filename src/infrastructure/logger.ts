import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import { redactSecrets, redactText } from './redaction.js';

export type Logger = PinoLogger;

/** An error without the statement and values that database drivers attach. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: LoggedError;
}

const DEEPEST_CAUSE = 4;

/** Libraries also report plain objects. */
function describeValue(value: unknown): LoggedError {
  const { message, code } = Object(value) as { message?: unknown; code?: unknown };
  const text = typeof message === 'string' ? message : String(value);
  return {
    type: typeof value,
    message: redactText(text),
    ...(typeof code === 'string' && { code }),
  };
}

function describeError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error)) return describeValue(error);
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: redactText(error.message),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(typeof code === 'string' && { code }),
    ...(error.cause !== undefined &&
      depth < DEEPEST_CAUSE && { cause: describeError(error.cause, depth + 1) }),
  };
}

/**
 * One JSON object per line on standard output or `destination`. Credentials are redacted at every depth; errors
 * keep their stack.
 * @param level a pino level, `silent` included
 * @param base fields of every line
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  base: Readonly<Record<string, unknown>> | null = null,
): Logger {
  const options = {
    level,
    base,
    formatters: { log: (line: Record<string, unknown>) => redactSecrets(line) },
    serializers: { err: (error: unknown) => describeError(error) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
