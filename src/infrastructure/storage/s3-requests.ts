import { createHash, createHmac } from 'node:crypto';
import type { Readable } from 'node:stream';
import { S3Client } from '@bradenmacdonald/s3-lite-client';
import { request } from 'undici';
import { transferMs, type NeighbourCall } from '../neighbours/neighbour.js';

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names; all are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

interface Signer {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** As RFC 3986 has it. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Sorted, with `=` also after names without a value. */
const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

/** Headers of a request, with its signature (AWS Signature Version 4). */
function signedHeaders(
  { method, url, headers, payload }: SignedRequest,
  { region, accessKeyId, secretAccessKey, sessionToken }: Signer,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256(payload),
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${(all[name] ?? '').trim()}`),
    '',
    names.join(';'),
    all['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => hmac(key, part),
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(signing, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString(
    'hex',
  );
  const credential = `Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}`;
  return { ...all, authorization: `AWS4-HMAC-SHA256 ${credential}, Signature=${signature}` };
}

export interface S3Settings extends Signer {
  readonly endpoint: string;
  readonly bucket: string;
  /** The bucket in the path instead of the host name. */
  readonly forcePathStyle: boolean;
}

/** Runs each request of a client. */
export type RunRequest = <T>(send: (call: NeighbourCall) => Promise<T>) => Promise<T>;

export class S3Failure extends Error {
  override readonly name = 'S3Failure';

  constructor(
    readonly statusCode: number,
    code: string,
  ) {
    super(`S3 responded with ${String(statusCode)} ${code}`);
  }
}

interface S3Request {
  readonly method: string;
  readonly key: string;
  readonly query?: string | Record<string, string> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: Uint8Array;
}

interface S3Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable & { text(): Promise<string> };
}

const SLICE_BYTES = 64 * 1024;
const ERROR_BYTES = 65_536;

/** Shows progress by what leaves this process, which is up to the buffers of the connection ahead of the peer. */
function* slicesOf(payload: Uint8Array, { progressed }: NeighbourCall): Generator<Uint8Array> {
  for (let start = 0; start < payload.length; start += SLICE_BYTES) {
    progressed(transferMs(start));
    yield payload.subarray(start, start + SLICE_BYTES);
  }
  progressed(transferMs(payload.length));
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

/** The library splits, lists and signs forms; its requests are sent here, because its own cannot be aborted. */
export class S3Requests extends S3Client {
  constructor(
    private readonly settings: S3Settings,
    private readonly options: { readonly run: RunRequest; readonly bodyMs: number },
  ) {
    super({
      endPoint: settings.endpoint,
      region: settings.region,
      bucket: settings.bucket,
      accessKey: settings.accessKeyId,
      secretKey: settings.secretAccessKey,
      pathStyle: settings.forcePathStyle,
      ...(settings.sessionToken === undefined ? {} : { sessionToken: settings.sessionToken }),
    });
  }

  override makeRequest(wanted: Parameters<S3Client['makeRequest']>[0]): Promise<Response> {
    const { method, payload = '', headers, query, objectName, statusCode = 200 } = wanted;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const given = {
      method,
      key: objectName,
      query,
      payload: bytes,
      headers: Object.fromEntries(headers ?? []),
    };
    return this.options.run(async (call) => {
      const response = await this.send(given, call);
      const text = await response.body.text();
      if (response.status !== statusCode) throw new S3Failure(response.status, 'unexpected');
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
    });
  }

  /** The body, which must be read or destroyed, fails when it makes no progress. @throws S3Failure */
  async send(
    { method, key, query = '', headers = {}, payload = new Uint8Array() }: S3Request,
    call: NeighbourCall,
  ): Promise<S3Response> {
    const url = this.#urlOf(key, query);
    const hasBody = method === 'PUT' || method === 'POST';
    const sent = signedHeaders({ method, url, headers, payload }, this.settings, new Date());
    const {
      statusCode,
      headers: received,
      body,
    } = await request(url, {
      method: method as 'GET',
      headers: { ...sent, ...(hasBody && { 'content-length': String(payload.length) }) },
      body: hasBody && payload.length > 0 ? (slicesOf(payload, call) as Iterable<Uint8Array> as never) : null,
      signal: call.signal,
      // The call has its own limit.
      headersTimeout: 0,
      bodyTimeout: this.options.bodyMs,
    });
    if (statusCode < 300) return { status: statusCode, headers: headersOf(received), body };
    const text = (await body.text()).slice(0, ERROR_BYTES);
    throw new S3Failure(statusCode, /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? 'unknown');
  }

  #urlOf(key: string, query: string | Record<string, string>): URL {
    const { endpoint, bucket, forcePathStyle } = this.settings;
    const url = new URL(endpoint);
    const folder = url.pathname.replace(/\/$/, '');
    if (!forcePathStyle) url.host = `${bucket}.${url.host}`;
    url.pathname = forcePathStyle ? `${folder}/${bucket}/${key}` : `${folder}/${key}`;
    url.search = canonicalQuery(new URLSearchParams(query));
    return url;
  }
}
