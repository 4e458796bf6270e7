import type { ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';

/** What the streams work with. */
export interface EventStreamParts {
  /** A text that changes whenever the project's content model does; undefined where there is no such project. */
  revisionOf(projectSlug: string): Promise<string | undefined>;
  readonly logger: Logger;
  readonly pollMilliseconds?: number;
  readonly pingMilliseconds?: number;
}

/** One open stream. */
interface Stream {
  readonly response: ServerResponse;
  readonly projectSlug: string;
  /** Whether the credential that opened the stream would still open it. */
  isWelcome(): Promise<boolean>;
}

/** Streams of one process; above this, opening one is 503. */
const MAXIMUM_STREAMS = 1000;

const notices = ['notifications/tools/list_changed', 'notifications/resources/list_changed']
  .map((method) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method })}\n\n`)
  .join('');

/**
 * The GET streams of all projects: they carry list-changed notices and are kept alive by comments.
 * While any is open, one timer asks for the revisions of the projects concerned and another pings.
 */
export class EventStreams {
  readonly #streams = new Set<Stream>();
  readonly #revisions = new Map<string, string | undefined>();
  #timers: NodeJS.Timeout[] = [];
  #isPolling = false;
  #isClosed = false;

  constructor(private readonly parts: EventStreamParts) {}

  /**
   * Opens a stream on `response`; it ends with the connection, with the credential or with {@link close}.
   * @throws AppError `service_unavailable` while draining and when too many are open
   */
  async open(stream: Stream): Promise<void> {
    const { response, projectSlug } = stream;
    // The revision is known before the client hears of the stream, so no later change is missed.
    const revision = await this.parts.revisionOf(projectSlug);
    if (this.#isClosed || this.#streams.size >= MAXIMUM_STREAMS) throw new AppError('service_unavailable');
    if (response.destroyed) return;
    if (!this.#revisions.has(projectSlug)) this.#revisions.set(projectSlug, revision);
    this.#streams.add(stream);
    response.once('close', () => this.#forget(stream));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write(': open\n\n');
    if (this.#timers.length === 0) this.#start();
  }

  /** Ends every stream and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams]) this.#end(stream);
  }

  #start(): void {
    const { pollMilliseconds = 2000, pingMilliseconds = 25_000 } = this.parts;
    this.#timers = [
      setInterval(() => void this.#poll(), pollMilliseconds).unref(),
      setInterval(() => void this.#ping(), pingMilliseconds).unref(),
    ];
  }

  #end(stream: Stream): void {
    this.#forget(stream);
    stream.response.end();
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#of(stream.projectSlug).length === 0) this.#revisions.delete(stream.projectSlug);
    if (this.#streams.size > 0) return;
    this.#timers.forEach((timer) => clearInterval(timer));
    this.#timers = [];
  }

  #of(projectSlug: string): Stream[] {
    return [...this.#streams].filter((stream) => stream.projectSlug === projectSlug);
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      for (const [projectSlug, known] of [...this.#revisions]) {
        const revision = await this.parts.revisionOf(projectSlug);
        if (revision === known || !this.#revisions.has(projectSlug)) continue;
        this.#revisions.set(projectSlug, revision);
        for (const { response } of this.#of(projectSlug)) response.write(notices);
      }
    } catch (error) {
      // The database is away: the next turn compares with the revision known so far.
      this.parts.logger.warn({ err: error }, 'event streams could not look for changes');
    } finally {
      this.#isPolling = false;
    }
  }

  async #ping(): Promise<void> {
    for (const stream of [...this.#streams]) {
      const isWelcome = await stream.isWelcome();
      // It may have ended meanwhile, and writing after the end is an error.
      if (!this.#streams.has(stream)) continue;
      if (isWelcome) stream.response.write(': ping\n\n');
      else this.#end(stream);
    }
  }
}
