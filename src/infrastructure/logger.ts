import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';

/** A logger of structured lines: `log.info({ requestId }, 'message')`. */
export type Logger = PinoLogger;

const secretNames = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'passwordhash',
  'secret',
  'token',
  'apikey',
  'keyhash',
]);

const deepest = 4;

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null || (prototype as { constructor?: { name?: string } }).constructor?.name === 'Object'
  );
}

/** Copies only what it changes: nearly every line holds no secret. pino's own redaction costs ten times as much. */
function withoutSecrets(record: Record<string, unknown>, depth = 1): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(record)) {
    let shown = value;
    if (secretNames.has(name.toLowerCase())) shown = '[redacted]';
    else if (depth < deepest && isRecord(value)) shown = withoutSecrets(value, depth + 1);
    if (shown !== value) (copy ??= { ...record })[name] = shown;
  }
  return copy ?? record;
}

/**
 * Makes the logger of the process: one JSON object per line on standard output, or on `destination`.
 * Values whose name says that they are credentials are replaced by `[redacted]`, four levels deep; error objects
 * keep their stack, which only ever goes to the log.
 * @param level a pino level, `silent` included
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    formatters: { log: (line: Record<string, unknown>) => withoutSecrets(line) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
