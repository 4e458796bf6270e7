import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import { redactSecrets, redactText } from './redaction.js';

/** A logger of structured lines: `log.info({ requestId }, 'message')`. */
export type Logger = PinoLogger;

/** What a line tells of an error: never the statement and values that a database driver hangs on it. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: LoggedError;
}

const DEEPEST_CAUSE = 4;

function describeError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redactText(String(error)) };
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
 * Makes the logger of the process: one JSON object per line on standard output, or on `destination`.
 * Credentials, by the name of their key or by their shape, are replaced by `[redacted]` at every depth; errors keep
 * their stack, which only ever goes to the log.
 * @param level a pino level, `silent` included
 * @param base what every line carries
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
