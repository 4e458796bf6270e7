import type { ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { presentOthers } from '../../features/entries/presence/index.js';
import { userTopic } from '../../infrastructure/live-channel.js';
import { admit, assertProjectAccess, type Services } from '../../procedures/index.js';
import type { HttpAnswer } from '../http/answer.js';
import { assertStreamRoom, beginEventStream, keepAdmitted } from '../http/event-stream.js';
import { callOf, type Exchange } from '../http/exchange.js';
import { failureAnswer } from '../http/failure-answer.js';

export const LIVE_PATH = '/api/v1/me/events';

/** Any session of a user. */
const entrance = { audience: 'account', resource: 'sessions', action: 'read' } as const;

const PING_MS = 15_000;
/** Messages of one kind within this time are sent as one. */
const GATHER_MS = 500;
/** A reader with more unread bytes is cut off: it reads everything again when it returns. */
const UNREAD_BYTES = 262_144;

/** One open stream: what it is told within a moment leaves together, the last state of each kind. */
class LiveStream {
  readonly #waiting = new Map<string, { readonly event: string; data(): unknown }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: ServerResponse,
    readonly userId: string,
  ) {}

  /** @param key what the event is about: only the last one about it is sent, with the data of then */
  tell(event: string, key = '', data: () => unknown = () => ({})): void {
    this.#waiting.set(`${event} ${key}`, { event, data });
    this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  }

  ping(): void {
    this.#write(': ping\n\n');
  }

  end(): void {
    clearTimeout(this.#timer);
    this.response.end();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #send(): void {
    this.#timer = undefined;
    const text = [...this.#waiting.values()]
      .map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data())}\n\n`)
      .join('');
    this.#waiting.clear();
    this.#write(text);
  }

  #write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > UNREAD_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}

/** The event streams of users (rules access/notifications, access/presence). */
export class LiveSurface {
  readonly #streams = new Set<LiveStream>();
  #isClosed = false;

  constructor(
    private readonly services: Services,
    private readonly pingMs = PING_MS,
  ) {}

  /**
   * Opens a stream that ends with the connection or the session.
   * @throws AppError 401; 406 `not_acceptable`; 429 `rate_limit_exceeded` beyond a limit
   */
  async open(exchange: Exchange): Promise<HttpAnswer | undefined> {
    const { request, response } = exchange;
    if (request.method !== 'GET')
      return failureAnswer(exchange, new AppError('method_not_allowed'), ['Allow', 'GET']);
    if (!/text\/event-stream/i.test(request.headers.accept ?? '')) throw new AppError('not_acceptable');
    const call = callOf(exchange, 'rest');
    exchange.prepareResponse();
    const { principalId } = await admit(this.services, call, { operation: entrance, projectSlug: '' });
    if (response.destroyed) return undefined;
    const stream = new LiveStream(response, principalId ?? '');
    this.#assertOpenable(stream);
    this.#streams.add(stream);
    const unlisten = this.services.live.listen(userTopic(stream.userId), () => {
      stream.tell('notifications');
    });
    const { presence } = this.services;
    const unwatch = presence.watch(stream.userId, (place) => {
      stream.tell('presence', place.entryId, () => presentOthers(presence, place, stream.userId));
    });
    const leave = keepAdmitted(this.services.live, {
      holder: { ids: [stream.userId] },
      pingMs: this.pingMs,
      enter: () => assertProjectAccess(this.services, call, { operation: entrance, projectSlug: '' }),
      ping: () => stream.ping(),
      end: () => stream.end(),
    });
    response.once('close', () => {
      leave();
      unlisten();
      unwatch();
      stream.stop();
      this.#streams.delete(stream);
    });
    beginEventStream(response);
    return undefined;
  }

  /** Ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.end();
  }

  #assertOpenable({ userId }: LiveStream): void {
    if (this.#isClosed) throw new AppError('service_unavailable');
    const own = [...this.#streams].filter((stream) => stream.userId === userId).length;
    assertStreamRoom([
      ['user', limits.liveStreamsPerUser, own],
      ['process', limits.liveStreamsPerProcess, this.#streams.size],
    ]);
  }
}
