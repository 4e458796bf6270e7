import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { issuesOf } from '../../../contracts/errors.js';
import type { OperationMeta, RestMeta } from '../../../contracts/metadata.js';
import { checkExactText } from '../../content/exact-json/exact-json.js';
import {
  CallContext,
  type BoundOperation,
  type OperationScope,
  type Services,
} from '../../procedures/index.js';
import { callOf } from '../http/exchange.js';
import { offerAnswer } from '../http/cache/cache-offer.js';
import { readJson } from '../http/read-body.js';
import { noteOf } from '../http/request-note.js';
import { sendJson, sendTagged } from '../http/send.js';
import { decodeQuery, queryDecoders } from './decode-query.js';
import { sendCacheableFailure, setDeliveryHeaders } from './delivery-headers.js';
import { LINES, sendLines } from './codecs/line-stream.js';
import { idempotencyKeyOf, takesIdempotencyKey } from './idempotency.js';
import { sendSitemap } from './codecs/sitemap.js';
import { sendText } from './codecs/text-answer.js';
import { asPrecondition, entityTag, expectedVersions, withExpectedVersion } from './precondition.js';
import { bearsText, readText } from './codecs/text-body.js';

/** One HTTP exchange with what its route found in the path. */
export interface RestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly parameters: Readonly<Record<string, string>>;
  /** The query string without its question mark. */
  readonly search: string;
}

const takesBody = (method: RestMeta['method']): boolean => method === 'POST' || method === 'PUT';

/** A path value that PostgreSQL could not even compare names nothing: U+FFFD stands in no id, slug or name. */
const safePathValue = (value: string): string => (checkExactText(value) ? value : '\u{FFFD}');

function pathInput(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, safePathValue(value)]));
}

/** The body's keys; the path's own keys cannot be given in it. */
function bodyInput(body: unknown, path: Record<string, string>): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidInput({ path: [], code: 'invalid_type', message: 'The body must be a JSON object.' });
  }
  const taken = Object.keys(body).filter((key) => key in path);
  if (taken.length > 0) {
    throw invalidInput(
      ...taken.map((key) => ({ path: [key], code: 'unrecognized_key', message: `Unknown key: ${key}` })),
    );
  }
  return body as Record<string, unknown>;
}

/** Path of a created item: the template with keys taken from input and answer. */
function locationOf(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])));
}

interface Output {
  readonly data: Record<string, unknown>;
  readonly meta?: { readonly duplicate?: true };
}

/** 202 where something was put off instead of done (decisions 2.29), 200 where it was there already. */
function statusOf({ success, mayDefer }: RestMeta, { data, meta }: Output): number {
  if (mayDefer && typeof data.jobId === 'string') return 202;
  return success?.existing === true && meta?.duplicate === true ? 200 : (success?.status ?? 200);
}

/** A call that may go on, and what it is given. */
interface AdmittedCall {
  readonly context: CallContext;
  readonly scope: OperationScope;
  readonly input: Record<string, unknown>;
}

/** Serves one operation over REST: admission, input, call, envelope and headers, in this order. */
export class RestOperation {
  readonly #decoders;

  constructor(
    private readonly operation: BoundOperation,
    readonly rest: RestMeta,
    private readonly services: Services,
  ) {
    const inPath = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const { textBody } = rest;
    const names = Object.keys(operation.input.shape).filter(
      (name) => !inPath.has(name) && name !== textBody?.key,
    );
    const hasQuery = !takesBody(rest.method) || textBody !== undefined;
    this.#decoders = queryDecoders(operation.input, hasQuery ? names : []);
  }

  get name(): string {
    return this.operation.name;
  }

  get meta(): OperationMeta {
    return this.operation.meta;
  }

  /** Whether it only reads content, and answers with one JSON value. */
  get isWholeRead(): boolean {
    const { method, streaming, textAnswer } = this.rest;
    const isRead = this.meta.audience === 'delivery' && this.meta.action === 'read' && method === 'GET';
    return isRead && streaming === undefined && textAnswer === undefined;
  }

  /** The answer to a read that was admitted. */
  async read(
    scope: OperationScope,
    { parameters, search }: Pick<RestExchange, 'parameters' | 'search'>,
  ): Promise<unknown> {
    return this.operation.run(scope, { ...decodeQuery(search, this.#decoders), ...pathInput(parameters) });
  }

  async serve(exchange: RestExchange): Promise<void> {
    const { request, response } = exchange;
    const context = new CallContext(this.services, callOf(request, response, 'rest'));
    Object.assign(noteOf(response), { operation: this.operation.name, route: this.rest.path });
    const path = pathInput(exchange.parameters);
    // Before the body is read: who may not call is told so, and nothing is kept of what they send.
    const scope = await context.admit(this.operation.meta, path);
    if (this.operation.meta.audience === 'delivery') offerAnswer(response, scope, 'rest');
    const expected = this.#expectedVersions(request);
    const input = withExpectedVersion({ ...(await this.#input(exchange, path)), ...path }, expected);
    if (this.rest.streaming?.mediaType === LINES)
      return sendLines(exchange, (cursor) =>
        this.operation.call(context, cursor === undefined ? input : { ...input, cursor }),
      );
    if (this.rest.streaming !== undefined) return sendSitemap(exchange, scope, this.#parsed(input));
    const output = await this.#call(exchange, { context, scope, input }).catch((error: unknown) => {
      if (sendCacheableFailure(response, scope, error)) return undefined;
      throw asPrecondition(error, expected);
    });
    if (output === undefined) return;
    const { data } = output as Output;
    this.#setHeaders(response, scope, { ...input, ...data });
    const tag = this.rest.versioned === true ? entityTag(data.version) : undefined;
    if (tag !== undefined) response.setHeader('ETag', tag);
    if (this.#isTagged(scope)) sendTagged(request, response, output);
    else if (this.rest.textAnswer === undefined)
      sendJson(response, statusOf(this.rest, output as Output), output);
    else sendText(response, this.rest.textAnswer, data);
  }

  /** Calls the operation, once where the caller names a key for it. */
  async #call(
    { request, response }: RestExchange,
    { context, scope, input }: AdmittedCall,
  ): Promise<unknown> {
    const takesKey = takesIdempotencyKey(this.operation.meta, this.rest);
    const key = takesKey ? idempotencyKeyOf(request) : undefined;
    if (key === undefined) return this.operation.call(context, input);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const once = context.once(scope, { key, method: this.rest.method, path, input });
    try {
      return await this.operation.call(context, input);
    } finally {
      if (once.wasReplayed) response.setHeader('Idempotent-Replayed', 'true');
    }
  }

  /** The input of an operation that is not called as a procedure. */
  #parsed<I>(input: Record<string, unknown>): I {
    const parsed = this.operation.input.safeParse(input);
    if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
    return parsed.data as I;
  }

  /** Published answers of delivery may be compared; previews are never stored. */
  #isTagged({ trace }: OperationScope): boolean {
    return (
      this.operation.meta.audience === 'delivery' && this.rest.textAnswer === undefined && !trace.isPreview
    );
  }

  #expectedVersions(request: IncomingMessage): readonly number[] | undefined {
    const isGuarded = this.rest.versioned === true && this.operation.kind === 'mutation';
    return isGuarded ? expectedVersions(request.headers['if-match']) : undefined;
  }

  async #input(
    { request, search }: RestExchange,
    path: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    const { textBody, method } = this.rest;
    if (!takesBody(method)) return decodeQuery(search, this.#decoders);
    const query = textBody === undefined ? {} : decodeQuery(search, this.#decoders);
    if (textBody !== undefined && bearsText(request, textBody))
      return { ...query, [textBody.key]: await readText(request, textBody) };
    return { ...query, ...bodyInput(await readJson(request, limits.requestBodyBytes), path) };
  }

  #setHeaders(
    response: ServerResponse,
    scope: OperationScope,
    values: Readonly<Record<string, unknown>>,
  ): void {
    if (this.operation.meta.audience === 'delivery') setDeliveryHeaders(response, scope);
    else response.setHeader('Cache-Control', 'no-store');
    if (this.rest.success !== undefined)
      response.setHeader('Location', locationOf(this.rest.success.location, values));
  }
}

/** The 405 of a path that exists for other methods. */
export function methodNotAllowed(response: ServerResponse, allowed: readonly string[]): AppError {
  const methods = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  response.setHeader('Allow', methods.join(', '));
  return new AppError('method_not_allowed', { allowed: methods });
}
