import type { DestinationStream } from 'pino';

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
