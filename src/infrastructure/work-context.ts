import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** Values of a span's attributes. Never content, parameters, header values or queries of URLs. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes?: SpanAttributes;
}

/** Where a trace comes from, in the form of a W3C `traceparent` header. Invalid ones are ignored. */
export type TraceParent = string | undefined;

/** A span in progress. */
export interface OpenSpan {
  /** As they are in log lines. */
  readonly ids: { readonly traceId: string; readonly spanId: string };
  /** Header by which another system, or later work, continues the trace. */
  readonly traceParent: string;
  /** Work that outlives its span belongs to no trace. */
  readonly isOpen: boolean;
  child(start: SpanStart): OpenSpan;
  rename(name: string): void;
  note(attributes: SpanAttributes): void;
  /** @param type a code or the name of an error, never its message */
  fail(type: string): void;
  end(): void;
}

/** Starts traces. */
export interface Tracer {
  start(span: SpanStart, parent?: TraceParent): OpenSpan;
}

const ERROR_CODE = /^\w{1,60}$/;

/** The SQLSTATE, code or name of an error; messages can quote values. */
export function errorType(error: unknown): string {
  const { code, sqlState, name } = Object(error) as Record<'code' | 'sqlState' | 'name', unknown>;
  const known = [sqlState, code, name].find((one) => typeof one === 'string' && ERROR_CODE.test(one));
  return (known as string | undefined) ?? typeof error;
}

interface TracedStatement {
  readonly name?: string | undefined;
  readonly text: string;
}

/** Where the table of a statement may be. Statements of models have values in their text, the first after a quote. */
const READ_CHARACTERS = 4000;

const FIRST_WORD = /^[\s(]*([a-z]{1,20})\b/i;

const TABLE = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]{0,62})\b/i;

/** Named by the statement's name, or else by its first word and table. */
export function statementSpan({ name, text }: TracedStatement): SpanStart {
  const [head = ''] = text.slice(0, READ_CHARACTERS).split("'", 1);
  const word = FIRST_WORD.exec(head)?.[1]?.toUpperCase() ?? 'SQL';
  const table = TABLE.exec(head)?.[1];
  const summary = name ?? (table === undefined ? word : `${word} ${table}`);
  return {
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': word,
      'db.query.summary': summary,
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}

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
