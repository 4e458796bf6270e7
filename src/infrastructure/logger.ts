import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';

/** A logger of structured lines: `log.info({ requestId }, 'message')`. */
export type Logger = PinoLogger;

const secretNames = [
  'authorization',
  'Authorization',
  'cookie',
  'Cookie',
  '["set-cookie"]',
  'password',
  'passwordHash',
  'secret',
  'token',
  'apiKey',
  'keyHash',
];

/** Bracketed names attach without a dot, so each depth is spelled out. */
function secretPaths(): string[] {
  const prefixes = ['', '*', 'req.headers', 'res.headers'];
  return prefixes.flatMap((prefix) =>
    secretNames.map((name) =>
      prefix === '' || name.startsWith('[') ? `${prefix}${name}` : `${prefix}.${name}`,
    ),
  );
}

/**
 * Makes the logger of the process: one JSON object per line on standard output, or on `destination`.
 * Credentials are replaced by `[redacted]` at the top, one level down and in headers; error objects keep
 * their stack, which only ever goes to the log.
 * @param level a pino level, `silent` included
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, redact: { paths: secretPaths(), censor: '[redacted]' } };
  return destination === undefined ? pino(options) : pino(options, destination);
}
