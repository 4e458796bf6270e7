import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { errorType, type OpenSpan, type SpanStart, type Tracer, type TraceParent } from './tracing.js';

/** The client closed the connection before its response was complete. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';

  constructor() {
    super('the client closed the connection');
  }
}

/** The client of a request that is being handled. */
export class WaitingClient {
  #controller: AbortController | undefined;

  constructor(
    private readonly response: Pick<ServerResponse, 'closed' | 'writableFinished' | 'once'>,
    /** Whether the request counts towards `MAX_REQUESTS_AT_ONCE`. */
    readonly takesSlot: boolean,
  ) {}

  /** Aborted with {@link ClientLeft} when the client leaves. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = (this.#controller = new AbortController());
      const leave = (): void => {
        if (!this.response.writableFinished) controller.abort(new ClientLeft());
      };
      if (this.response.closed) leave();
      else this.response.once('close', leave);
    }
    return this.#controller.signal;
  }
}

/** What asynchronous work knows without being passed it. */
interface WorkContext {
  /** Undefined in work that no client waits for. */
  readonly client: WaitingClient | undefined;
  /** Undefined while nothing is traced. */
  readonly span: OpenSpan | undefined;
}

const contexts = new AsyncLocalStorage<WorkContext>();

/** Runs work for a client; what it waits for ends when the client leaves. */
export const forClient = <T>(client: WaitingClient, work: () => T, span?: OpenSpan): T =>
  contexts.run({ client, span }, work);

/** Runs work that several clients share, or that outlives the request that starts it. */
export const forNoClient = <T>(work: () => T): T =>
  contexts.run({ client: undefined, span: currentSpan() }, work);

/** Undefined in work that no client waits for. */
export const waitingClient = (): WaitingClient | undefined => contexts.getStore()?.client;

/** Undefined while nothing is traced, and in work that outlives its span. */
export function currentSpan(): OpenSpan | undefined {
  const span = contexts.getStore()?.span;
  return span?.isOpen === true ? span : undefined;
}

/** Runs what only starts other work, which belongs to neither the client nor the span. */
export const outside = (work: () => void): void => {
  contexts.exit(work);
};

/** Header that continues the trace at a system of the operator; empty while nothing is traced. */
export function traceHeaders(): { readonly traceparent?: string } {
  const span = currentSpan();
  return span === undefined ? {} : { traceparent: span.traceParent };
}

/** Runs work in a span, which ends with it. */
async function inSpan<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    return await contexts.run({ client: waitingClient(), span }, work);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs work in a part of the current span; just runs it while nothing is traced. */
export function traced<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
  const span = currentSpan();
  return span === undefined ? work() : inSpan(span.child(start()), work);
}

/** The same, in a new trace or the given one if no span is current. */
export function tracedBy<T>(
  { tracer, parent }: { readonly tracer?: Tracer | undefined; readonly parent?: TraceParent },
  start: SpanStart,
  work: () => Promise<T>,
): Promise<T> {
  const span = currentSpan()?.child(start) ?? tracer?.start(start, parent);
  return span === undefined ? work() : inSpan(span, work);
}
