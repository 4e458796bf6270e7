import type { IncomingMessage } from 'node:http';
import { invalidInput, issuesOf } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { RestMeta } from '../../../contracts/metadata.js';
import { checkExactText } from '../../content/exact-json/exact-json.js';
import {
  admit,
  counted,
  idempotentCall,
  type BoundOperation,
  type Call,
  type IdempotentCall,
  type OperationScope,
  type Services,
} from '../../procedures/index.js';
import { jsonAnswer, NO_STORE, type HttpAnswer, type HeaderList } from '../http/answer.js';
import { callOf, previewSessionIn, type Exchange } from '../http/exchange.js';
import { failureAnswer } from '../http/failure-answer.js';
import { readJson } from '../http/read-body.js';
import { decodeParts, decodeQuery, formDecoders, pathDecoder, queryDecoders } from './decode-query.js';
import { deliveryAnswer, deliveryBody, deliveryFailure, sitemapAnswer } from './codecs/delivery-answer.js';
import { LINES, linesAnswer, textAnswer, textIn } from './codecs/text-answer.js';
import {
  idempotencyKeyOf,
  takesIdempotencyKey,
  toPreconditionFailure,
  entityTag,
  expectedVersions,
  withExpectedVersion,
} from './request-headers.js';
import { refusesUnknownParameters, unknownParameters, type ReadOnlyKeys } from './read-only-keys.js';
import { isTextBody, readText } from './codecs/text-body.js';
import { assertTusVersion, hasTusBody, TUS_VERSION, tusAnswer, tusInput } from './codecs/tus.js';
import { isUpload, readUpload, type Upload } from './codecs/upload.js';

export interface RestTarget {
  readonly parameters: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly search: string;
}

const takesBody = (method: RestMeta['method']): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** Replaces a value that PostgreSQL cannot compare: no id, slug or name contains U+FFFD. */
const safePathValue = (value: string): string => (checkExactText(value) ? value : '\u{FFFD}');

/** Input keys in the path; numbers are decoded. */
type PathInput = Record<string, string | number>;

function objectBody(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw invalidInput({ path: [], code: 'invalid_type', message: 'The body must be a JSON object.' });
}

/** The keys of the body, which cannot repeat keys of the path. */
function bodyInput(
  body: Readonly<Record<string, unknown>>,
  path: PathInput,
): Readonly<Record<string, unknown>> {
  const taken = Object.keys(body).filter((key) => key in path);
  if (taken.length === 0) return body;
  throw invalidInput(
    ...taken.map((key) => ({ path: [key], code: 'unrecognized_key', message: `Unknown key: ${key}` })),
  );
}

function locationOf(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])));
}

/** A credential wins over the token of a URL. */
function withUrlToken(call: Call, { urlToken }: RestMeta, search: string): Call {
  if (urlToken === undefined || call.authorization !== undefined) return call;
  return { ...call, urlToken: new URLSearchParams(search).get(urlToken) ?? undefined };
}

interface Output {
  readonly data: Record<string, unknown>;
  readonly meta?: { readonly duplicate?: true; readonly replaced?: true };
}

/** 202 for a job (rule http/status-codes), 200 if the item existed. */
function statusOf({ success, mayDefer, startsJob }: RestMeta, { data, meta }: Output): number {
  if (startsJob) return 202;
  if (mayDefer && typeof data.jobId === 'string') return 202;
  const existed = meta?.duplicate === true || meta?.replaced === true;
  return success?.existing === true && existed ? 200 : (success?.status ?? 200);
}

interface AdmittedCall {
  readonly exchange: Exchange;
  readonly search: string;
  readonly path: PathInput;
  readonly scope: OperationScope;
}

const REPLAYED = ['Idempotent-Replayed', 'true'];

export interface RestParts {
  readonly services: Services;
  /** Undefined unless it is an update of a resource. */
  readonly readOnly: ReadOnlyKeys | undefined;
}

/** Serves one operation over REST: admission, input, call, envelope, headers. */
export class RestOperation {
  readonly #decoders;
  readonly #decodePath;
  readonly #refuseUnknown: ((names: readonly string[]) => never) | undefined;

  constructor(
    private readonly operation: BoundOperation,
    readonly rest: RestMeta,
    private readonly parts: RestParts,
  ) {
    const inPath = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    this.#decodePath = pathDecoder(operation.input, inPath);
    const { textBody } = rest;
    const names = Object.keys(operation.input.shape).filter(
      (name) => !inPath.has(name) && name !== textBody?.key,
    );
    const hasText = !takesBody(rest.method) || textBody !== undefined || rest.upload !== undefined;
    const decoders = rest.upload === undefined ? queryDecoders : formDecoders;
    this.#decoders = decoders(operation.input, hasText ? names : []);
    if (refusesUnknownParameters(operation))
      this.#refuseUnknown = (unknown) => {
        throw unknownParameters(unknown, names);
      };
  }

  /** Admits before reading the body. */
  answer(exchange: Exchange, { parameters, search }: RestTarget): HttpAnswer | Promise<HttpAnswer> {
    const { operation, rest } = this;
    const { services } = this.parts;
    exchange.record.operation = operation.name;
    exchange.record.route = rest.path;
    const path = this.#pathInput(parameters);
    const projectSlug = String(path.projectSlug ?? '');
    const given = withUrlToken(callOf(exchange, 'rest'), rest, search);
    const isDelivery = operation.meta.audience === 'delivery';
    const previewSession = isDelivery ? previewSessionIn(exchange.request, search) : undefined;
    const call = previewSession === undefined ? given : { ...given, previewSession };
    const admission = admit(services, call, { operation: operation.meta, projectSlug });
    return admission instanceof Promise
      ? admission.then((scope) => this.#serve({ exchange, search, path, scope }))
      : this.#serve({ exchange, search, path, scope: admission });
  }

  #serve(call: AdmittedCall): Promise<HttpAnswer> {
    const { meta } = this.operation;
    if (meta.audience === 'delivery') return this.#read(call);
    const { services, call: made } = call.scope;
    return counted({ services, call: made, caller: call.scope, operation: meta }, () => this.#perform(call));
  }

  async #read({ exchange, search, path, scope }: AdmittedCall): Promise<HttpAnswer> {
    try {
      const input = {
        ...decodeQuery(search, this.#decoders, (names) => {
          exchange.ignoredParameters = names;
          if (this.rest.passesUnknownParameters === true) scope.mode.unknownParameters = names;
        }),
        ...path,
      };
      if (this.rest.streaming !== undefined) return await sitemapAnswer(exchange, scope, this.#parse(input));
      scope.mode.writesText = true;
      return deliveryAnswer(scope, deliveryBody(await this.operation.run(scope, input)));
    } catch (failure) {
      return deliveryFailure(exchange, scope, failure);
    }
  }

  #perform(call: AdmittedCall): Promise<HttpAnswer> {
    const { upload, tus } = this.rest;
    if (tus === true) return this.#resume(call);
    if (upload === undefined || !isUpload(call.exchange.request)) return this.#write(call, this.#input(call));
    return this.#receive(call, upload);
  }

  /** A tus client finds the version of the protocol also in failures. */
  async #resume(call: AdmittedCall): Promise<HttpAnswer> {
    const { request } = call.exchange;
    try {
      assertTusVersion(request);
      return await this.#write(call, hasTusBody(request) ? tusInput(request) : this.#input(call));
    } catch (failure) {
      return failureAnswer(call.exchange, failure, TUS_VERSION);
    }
  }

  /** The file is read while the operation runs. */
  async #receive(call: AdmittedCall, meta: NonNullable<RestMeta['upload']>): Promise<HttpAnswer> {
    let upload: Upload | undefined;
    try {
      upload = await readUpload(call.exchange.request, meta);
      const parts = decodeParts(upload.parts, this.#decoders);
      const values = bodyInput({ ...this.#queryOfUpload(call), ...parts }, call.path);
      const file = upload.file === undefined ? {} : { [meta.part]: upload.file };
      return await this.#write(call, { ...values, ...file });
    } finally {
      upload?.discard();
    }
  }

  async #write(
    call: AdmittedCall,
    given: Record<string, unknown> | Promise<Record<string, unknown>>,
  ): Promise<HttpAnswer> {
    const { exchange, path, scope } = call;
    const expected = this.#expectedVersions(exchange.request);
    const input = withExpectedVersion({ ...(await given), ...path }, expected);
    if (this.rest.streaming?.mediaType === LINES)
      return linesAnswer((cursor) =>
        this.operation.run(scope, cursor === undefined ? input : { ...input, cursor }),
      );
    const once = this.#once(call, input);
    try {
      const output = (await this.operation.run(scope, input)) as Output;
      return this.#success(call, { output, input }, once?.wasReplayed === true ? REPLAYED : []);
    } catch (error) {
      const failure = toPreconditionFailure(error, expected);
      if (once?.wasReplayed === true) return failureAnswer(exchange, failure, REPLAYED);
      throw failure;
    }
  }

  /** Makes the effect idempotent if the request has an `Idempotency-Key`. */
  #once({ exchange: { request }, scope }: AdmittedCall, input: unknown): IdempotentCall | undefined {
    if (!takesIdempotencyKey(this.operation.meta, this.rest)) return undefined;
    const key = idempotencyKeyOf(request);
    if (key === undefined) return undefined;
    const path = (request.url ?? '').split('?')[0] ?? '';
    const once = idempotentCall(scope, { key, method: this.rest.method, path, input });
    scope.mode.idempotency = once;
    return once;
  }

  #success(
    { exchange }: AdmittedCall,
    { output, input }: { readonly output: Output; readonly input: Record<string, unknown> },
    replayed: HeaderList,
  ): HttpAnswer {
    const { success, versioned, textResponse: asText, tus } = this.rest;
    const headers = [...NO_STORE, ...replayed];
    if (success !== undefined)
      headers.push('Location', locationOf(success.location, { ...input, ...output.data }));
    const tag = versioned === true ? entityTag(output.data.version) : undefined;
    if (tag !== undefined) headers.push('ETag', tag);
    if (tus === true) return tusAnswer(exchange.request, output, headers);
    const text = asText && textIn(asText, output.data);
    if (text !== undefined) return textAnswer(text, output.data, { request: exchange.request, headers });
    return jsonAnswer(statusOf(this.rest, output), output, headers);
  }

  #pathInput(parameters: Readonly<Record<string, string>>): PathInput {
    const decoded = Object.entries(parameters).map(([name, value]) => [
      name,
      this.#decodePath(name, safePathValue(value)),
    ]);
    return Object.fromEntries(decoded) as PathInput;
  }

  #parse<I>(input: Record<string, unknown>): I {
    const parsed = this.operation.input.safeParse(input);
    if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
    return parsed.data as I;
  }

  #expectedVersions(request: IncomingMessage): readonly number[] | undefined {
    const isVersionedWrite = this.rest.versioned === true && this.operation.kind === 'mutation';
    return isVersionedWrite ? expectedVersions(request.headers['if-match']) : undefined;
  }

  async #input({
    exchange: { request },
    search,
    path,
    scope,
  }: AdmittedCall): Promise<Record<string, unknown>> {
    const { textBody, method } = this.rest;
    if (!takesBody(method)) return decodeQuery(search, this.#decoders, this.#refuseUnknown);
    const query = textBody === undefined ? {} : decodeQuery(search, this.#decoders);
    if (textBody !== undefined && isTextBody(request, textBody))
      return { ...query, [textBody.key]: await readText(request, textBody) };
    const body = objectBody(await readJson(request, limits.requestBodyBytes));
    const { readOnly } = this.parts;
    const own = readOnly === undefined ? body : await readOnly.remove(scope, { path, body });
    return { ...query, ...this.#queryOfUpload({ search }), ...bodyInput(own, path) };
  }

  #queryOfUpload({ search }: Pick<AdmittedCall, 'search'>): Record<string, unknown> {
    const { query } = this.rest.upload ?? {};
    if (query === undefined) return {};
    return decodeQuery(search, new Map([...this.#decoders].filter(([name]) => query.includes(name))));
  }
}
