import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { Logger } from '../../infrastructure/logger.js';
import { assertStreamRoom, beginEventStream } from '../http/event-stream.js';
import type { Subscription } from './per-request-server.js';

/** The environment that a stream reports on. */
export interface StreamPlace {
  readonly projectSlug: string;
  readonly environmentId: string;
}

/** Who opened a stream. */
export interface StreamOwner {
  readonly keyId: string;
  readonly tenantId: string;
}

export interface EventStreamParts {
  /** Changes with the content model; undefined if the environment does not exist. */
  revisionOf(place: StreamPlace): Promise<string | undefined>;
  readonly logger: Logger;
  readonly pollMilliseconds?: number;
  readonly pingMilliseconds?: number;
}

interface Stream {
  readonly response: ServerResponse;
  readonly place: StreamPlace;
  readonly owner: StreamOwner;
  /** In place of notices and the end of the response. */
  readonly subscription?: Subscription;
  /** Whether the credential could still open the stream. */
  isAuthorized(): Promise<boolean>;
  /** Calls `check` when that may have changed. @returns what stops it */
  watch(check: () => void): () => void;
}

const notices = ['notifications/tools/list_changed', 'notifications/resources/list_changed']
  .map((method) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method })}\n\n`)
  .join('');

/**
 * The GET streams and subscriptions of all projects, which send list-changed notifications and keep-alive comments. While any is open,
 * one timer polls the revisions of their projects and another pings.
 */
export class EventStreams {
  readonly #streams = new Set<Stream>();
  /** By the environment's id. */
  readonly #revisions = new Map<string, { readonly place: StreamPlace; revision: string | undefined }>();
  #timers: NodeJS.Timeout[] = [];
  #isPolling = false;
  #isClosed = false;

  constructor(private readonly parts: EventStreamParts) {}

  /**
   * Opens a stream that ends with the connection, the credential or {@link close}.
   * @throws AppError `service_unavailable` while draining, 429 `rate_limit_exceeded` beyond a limit (rule mcp/transport)
   */
  async open(stream: Stream): Promise<void> {
    const { response, place, owner } = stream;
    const { environmentId } = place;
    this.#assertOpenable(owner);
    // Read before the client receives headers, so that no later change is missed.
    const revision = await this.parts.revisionOf(place);
    if (response.destroyed) return;
    // Others may have opened during the look-up.
    this.#assertOpenable(owner);
    if (!this.#revisions.has(environmentId)) this.#revisions.set(environmentId, { place, revision });
    this.#streams.add(stream);
    const unwatch = stream.watch(() => void this.#check(stream));
    response.once('close', () => {
      unwatch();
      this.#forget(stream);
      stream.subscription?.end();
    });
    beginEventStream(response);
    // An error of either ends both; without a listener it would end the process.
    if (stream.subscription) pipeline(stream.subscription.frames, response, () => undefined);
    if (this.#timers.length === 0) this.#start();
  }

  /** Ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams]) this.#end(stream);
  }

  #assertOpenable({ keyId, tenantId }: StreamOwner): void {
    if (this.#isClosed) throw new AppError('service_unavailable');
    const owners = [...this.#streams].map(({ owner }) => owner);
    assertStreamRoom([
      ['key', limits.eventStreamsPerKey, owners.filter((owner) => owner.keyId === keyId).length],
      ['tenant', limits.eventStreamsPerTenant, owners.filter((owner) => owner.tenantId === tenantId).length],
      ['process', limits.eventStreamsPerProcess, owners.length],
    ]);
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
    if (stream.subscription) stream.subscription.end();
    else stream.response.end();
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream);
    const { environmentId } = stream.place;
    if (this.#of(environmentId).length === 0) this.#revisions.delete(environmentId);
    if (this.#streams.size > 0) return;
    this.#timers.forEach((timer) => clearInterval(timer));
    this.#timers = [];
  }

  #of(environmentId: string): Stream[] {
    return [...this.#streams].filter(({ place }) => place.environmentId === environmentId);
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      for (const [environmentId, known] of [...this.#revisions]) {
        const revision = await this.parts.revisionOf(known.place);
        if (revision === known.revision || !this.#revisions.has(environmentId)) continue;
        known.revision = revision;
        for (const { response, subscription } of this.#of(environmentId))
          if (subscription) subscription.notify();
          else response.write(notices);
      }
    } catch (error) {
      // The next poll compares with the last known revision.
      this.parts.logger.warn({ err: error }, 'polling for content model changes failed');
    } finally {
      this.#isPolling = false;
    }
  }

  async #ping(): Promise<void> {
    for (const stream of [...this.#streams])
      if (await this.#check(stream)) stream.response.write(': ping\n\n');
  }

  /** Whether it is open; without its credential it ends. */
  async #check(stream: Stream): Promise<boolean> {
    const isAuthorized = await stream.isAuthorized();
    // It may have ended concurrently; writing to it would throw.
    const isOpen = this.#streams.has(stream);
    if (isOpen && !isAuthorized) this.#end(stream);
    return isOpen && isAuthorized;
  }
}
