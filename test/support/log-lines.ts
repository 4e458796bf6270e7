import { createLogger, type Logger } from '../../src/infrastructure/logger.js';
import { secretWatch } from './secrets/secret-watch.js';

export class LogLines {
  readonly texts: string[] = [];
  readonly logger: Logger = createLogger('trace', {
    write: (line: string) => {
      this.texts.push(line);
      secretWatch.line(line);
    },
  });

  of(message: string): Record<string, unknown>[] {
    return this.texts
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .filter(({ msg }) => msg === message);
  }
}

/** A logger whose lines only the secret watch reads. */
export function watchedLogger(): Logger {
  return createLogger('trace', {
    write: (line: string) => {
      secretWatch.line(line);
    },
  });
}
