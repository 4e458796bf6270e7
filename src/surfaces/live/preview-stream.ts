import type { ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { seesDrafts, type Principal } from '../../access/principal.js';
import type { Catalog } from '../../content/catalog.js';
import type { EntryChangeList } from '../../infrastructure/entry-changes.js';
import { admit, assertProjectAccess, type Services } from '../../procedures/index.js';
import type { HttpAnswer } from '../http/answer.js';
import { assertStreamRoom, beginEventStream, holderOf, keepAdmitted } from '../http/event-stream.js';
import { callOf, previewSessionIn, type Exchange } from '../http/exchange.js';
import { failureAnswer } from '../http/failure-answer.js';

/** Names project and site. */
export const PREVIEW_STREAM = /^\/api\/delivery\/projects\/([\w-]+)\/sites\/([\w-]+)\/preview\/stream$/;
export const PREVIEW_STREAM_PATH = '/api/delivery/projects/{slug}/sites/{siteSlug}/preview/stream';

const entrance = { audience: 'delivery', resource: 'entries', action: 'read' } as const;

const PING_MS = 15_000;
/** A reader with more unread bytes is told once that anything may have changed, when it has caught up. */
const UNREAD_BYTES = 16_384;

/** What a stream sends; of the entry that it names, or of any. */
interface Change {
  readonly entryId: string | null;
  readonly locale: string | null;
  readonly version: number | null;
}

const eventOf = (change: Change): string => `event: changed\ndata: ${JSON.stringify(change)}\n\n`;
const ANY = eventOf({ entryId: null, locale: null, version: null });

/** The locales whose changes show in those of a preview session; undefined: all. */
function locales(catalog: Catalog, principal: Principal): ReadonlySet<string> | undefined {
  if (principal.kind !== 'preview' || principal.locales === null) return undefined;
  return new Set(principal.locales.flatMap((code) => catalog.localeChain(code)));
}

interface Seen {
  readonly siteId: string;
  readonly locales: ReadonlySet<string> | undefined;
}

/** The events of what the reader may see, one string for all of a message. */
function eventsFor({ siteId, locales: seen }: Seen, changes: EntryChangeList): string {
  if (changes === null) return ANY;
  return changes
    .filter((one) => one.siteId === siteId && (one.locale === null || seen?.has(one.locale) !== false))
    .map(({ entryId, locale, version }) => eventOf({ entryId, locale, version }))
    .join('');
}

/** One open stream. */
class PreviewStream {
  /** Since how many pings the reader has not caught up; undefined if it has. */
  #pingsBehind: number | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly seen: Seen,
    readonly caller: string,
  ) {}

  tell(changes: EntryChangeList): void {
    const events = eventsFor(this.seen, changes);
    if (events !== '') this.#write(events);
  }

  /** A reader that has read nothing between two of them is cut off. */
  ping(): void {
    if (this.#pingsBehind === undefined) this.#write(': ping\n\n');
    else if (this.#pingsBehind === 0) this.#pingsBehind = 1;
    else this.response.destroy();
  }

  end(): void {
    this.response.end();
  }

  #write(text: string): void {
    const { response } = this;
    if (response.writableEnded || response.destroyed || this.#pingsBehind !== undefined) return;
    if (response.writableLength <= UNREAD_BYTES) {
      response.write(text);
      return;
    }
    this.#pingsBehind = 0;
    response.write(': behind\n\n', (error) => {
      if (error) return;
      this.#pingsBehind = undefined;
      this.#write(ANY);
    });
  }
}

/** Streams of what changes on a site, for those who preview it (rule publication/preview-sessions). */
export class PreviewStreams {
  readonly #open = new Set<PreviewStream>();
  #isClosed = false;

  constructor(
    private readonly services: Services,
    private readonly pingMs = PING_MS,
  ) {}

  /**
   * Opens a stream that ends with the connection, the credential or the preview session.
   * @throws AppError 403 `preview_not_allowed` without the right to previews; 401, 403, 404; 406 `not_acceptable`; 429
   * `rate_limit_exceeded` beyond a limit
   */
  async open(exchange: Exchange, projectSlug: string, siteSlug: string): Promise<HttpAnswer | undefined> {
    const { request, response } = exchange;
    if (request.method !== 'GET')
      return failureAnswer(exchange, new AppError('method_not_allowed'), ['Allow', 'GET']);
    if (!/text\/event-stream/i.test(request.headers.accept ?? '')) throw new AppError('not_acceptable');
    // Browsers can send no header with an event stream, so the query has the token.
    const previewSession = previewSessionIn(request, request.url?.split('?')[1] ?? '');
    const call = { ...callOf(exchange, 'rest'), previewSession };
    exchange.prepareResponse();
    const admission = { operation: entrance, projectSlug };
    const { principal, principalId, catalog } = await admit(this.services, call, admission);
    if (catalog === null) throw new AppError('project_not_found');
    if (!seesDrafts(principal)) throw new AppError('preview_not_allowed');
    const site = catalog.siteBySlug(siteSlug);
    if (principal.kind === 'preview' && principal.siteId !== site?.id)
      throw new AppError('invalid_preview_token');
    if (site === undefined) throw new AppError('site_not_found');
    if (response.destroyed) return undefined;
    this.#assertOpenable(principalId ?? '');
    const seen = { siteId: site.id, locales: locales(catalog, principal) };
    const stream = new PreviewStream(response, seen, principalId ?? '');
    this.#open.add(stream);
    const { id: environmentId } = catalog.data.environment;
    const unwatch = this.services.entryChanges.watch(environmentId, (changes) => {
      stream.tell(changes);
    });
    const leave = keepAdmitted(this.services.live, {
      holder: holderOf(principal, this.services.clock),
      pingMs: this.pingMs,
      enter: () => assertProjectAccess(this.services, call, admission),
      ping: () => stream.ping(),
      end: () => stream.end(),
    });
    response.once('close', () => {
      leave();
      unwatch();
      this.#open.delete(stream);
    });
    beginEventStream(response);
    return undefined;
  }

  /** Ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  #assertOpenable(caller: string): void {
    if (this.#isClosed) throw new AppError('service_unavailable');
    const own = [...this.#open].filter((stream) => stream.caller === caller).length;
    assertStreamRoom([
      ['caller', limits.previewStreamsPerCaller, own],
      ['process', limits.previewStreamsPerProcess, this.#open.size],
    ]);
  }
}
