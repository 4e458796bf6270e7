import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { callFailureName, openCheckedClient, type CheckedClient } from './checked-client.js';
import { lazy } from './lazy.js';
import { waitingClient } from './work-context.js';
import { targetProblem, type TargetRules } from './webhook-target.js';

export interface DownloadOptions extends TargetRules {
  readonly userAgent: string;
  /** For the whole download. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Without progress. */
  readonly stallMilliseconds?: number | undefined;
}

export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure';

  constructor(
    /** One word. */
    readonly reason: string,
    /** `refused`: the rules do not permit the URL. */
    readonly kind: 'refused' | 'failed',
    readonly statusCode?: number,
  ) {
    super(`download ${kind}: ${reason}`);
  }
}

const TIMEOUT_MILLISECONDS = 60_000;
const CONNECT_MILLISECONDS = 10_000;
const STALL_MILLISECONDS = 10_000;
const REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

function failureOf(error: unknown): DownloadFailure {
  if (error instanceof DownloadFailure) return error;
  const reason = callFailureName(error);
  return new DownloadFailure(reason, reason === 'address_refused' ? 'refused' : 'failed');
}

async function* bytesOf(body: Dispatcher.ResponseData['body']): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw failureOf(error);
  }
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

/** @throws DownloadFailure for a response without a file */
function checkResponse({ statusCode, headers }: Dispatcher.ResponseData, maximumBytes: number): void {
  if (statusCode !== 200) throw new DownloadFailure('unexpected_status', 'failed', statusCode);
  if ((single(headers['content-encoding']) ?? 'identity') !== 'identity')
    throw new DownloadFailure('encoding_not_supported', 'failed');
  if (Number(single(headers['content-length']) ?? 0) > maximumBytes)
    throw new DownloadFailure('too_large', 'failed');
}

/** Destroying the stream ends the connection. */
function fileOf(response: Dispatcher.ResponseData, maximumBytes: number): Readable {
  const { body } = response;
  try {
    checkResponse(response, maximumBytes);
  } catch (error) {
    body.destroy();
    throw error;
  }
  const stream = Readable.from(bytesOf(body));
  return stream.once('close', () => {
    body.destroy();
  });
}

/** Fetches files from URLs given by users. Every redirect is checked as the first URL is. */
export class UrlDownloader {
  /** Loaded with the first download. */
  readonly #client = lazy(() =>
    openCheckedClient({ ...this.options, timeoutMilliseconds: CONNECT_MILLISECONDS }),
  );

  constructor(private readonly options: DownloadOptions) {}

  /**
   * The stream fails with the same error.
   * @param maximumBytes for the size that the server announces
   * @throws DownloadFailure
   */
  async open(url: string, maximumBytes: number): Promise<Readable> {
    const timeout = AbortSignal.timeout(this.options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS);
    const left = waitingClient()?.signal;
    const signal = left === undefined ? timeout : AbortSignal.any([timeout, left]);
    try {
      const client = await this.#client.get();
      let target = url;
      for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
        const response = await this.#request(client, target, signal);
        const location = single(response.headers.location);
        if (!REDIRECT_STATUSES.has(response.statusCode) || location === undefined)
          return fileOf(response, maximumBytes);
        await response.body.dump();
        target = URL.parse(location, target)?.href ?? location;
      }
    } catch (error) {
      throw failureOf(error);
    }
    throw new DownloadFailure('too_many_redirects', 'failed');
  }

  async close(): Promise<void> {
    await (await this.#client.current())?.agent.destroy();
  }

  async #request(
    { agent, request }: CheckedClient,
    url: string,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const problem = targetProblem(url, this.options);
    if (problem !== undefined) throw new DownloadFailure(problem, 'refused');
    const headers = {
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      'User-Agent': this.options.userAgent,
    };
    const { stallMilliseconds: stall = STALL_MILLISECONDS } = this.options;
    const limits = { headersTimeout: stall, bodyTimeout: stall };
    const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal, ...limits });
    // Destroying a body emits an error, which nothing else may listen to.
    response.body.on('error', () => undefined);
    return response;
  }
}
