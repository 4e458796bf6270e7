import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { redactSecrets, redactText } from './redaction.js';
import { currentSpan } from './work-context.js';

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
    formatters: {
      log: (line: Record<string, unknown>) => redactSecrets({ ...currentSpan()?.ids, ...line }),
    },
    serializers: { err: (error: unknown) => describeError(error) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

interface Line extends Record<string, unknown> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

/** Time, level, message, then the other fields. */
function readable(line: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Line;
  const parts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [new Date(time).toISOString().slice(11, 23), levels[level] ?? level, msg, ...parts].join(' ');
  return err?.stack === undefined ? `${head}\n` : `${head}\n${err.stack}\n`;
}

export const readableDestination = (output: { write(text: string): unknown }): DestinationStream => ({
  write: (line) => void output.write(readable(line)),
});
