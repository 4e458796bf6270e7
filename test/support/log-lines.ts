import { createLogger, type Logger } from '../../src/infrastructure/logger.js';

/** A logger whose lines a test reads. */
export class LogLines {
  readonly texts: string[] = [];
  readonly logger: Logger = createLogger('trace', { write: (line: string) => void this.texts.push(line) });

  /** The lines with this message. */
  of(message: string): Record<string, unknown>[] {
    return this.texts
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .filter(({ msg }) => msg === message);
  }
}
