import type { Dispatcher } from 'undici';
import { callFailureName, openCheckedClient } from './checked-client.js';
import { lazy } from './lazy.js';
import type { TargetRules } from './webhook-target.js';

export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CallOutcome {
  readonly ok: boolean;
  /** Null without a response. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The start of the response body. */
  readonly responseSnippet: string | null;
  /** One word; null on success. */
  readonly error: string | null;
  /** As received. */
  readonly retryAfter: string | null;
}

export interface SenderOptions extends TargetRules {
  /** For the whole call. */
  readonly timeoutMilliseconds: number;
}

const SNIPPET_BYTES = 1024;

/** Reads only the start of a response, also of one that breaks off. */
async function snippetOf(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= SNIPPET_BYTES) break;
    }
  } catch {
    // The status alone decides.
  }
  if (length === 0) return null;
  const text = Buffer.concat(chunks).subarray(0, SNIPPET_BYTES).toString('utf8');
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, ' ').toWellFormed();
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect_not_followed' : 'unexpected_status';
}

/** Posts to URLs given by users: checks every address when the socket connects and follows no redirects. */
export class WebhookSender {
  /** Loaded with the first call. */
  readonly #client = lazy(() => openCheckedClient(this.options));

  constructor(private readonly options: SenderOptions) {}

  get rules(): TargetRules {
    return this.options;
  }

  /** Never rejects: a failure is an outcome. */
  async send({ url, headers, body }: OutgoingCall): Promise<CallOutcome> {
    const { agent, request } = await this.#client.get();
    const started = performance.now();
    const elapsed = (): number => Math.round(performance.now() - started);
    try {
      const response = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(this.options.timeoutMilliseconds),
      });
      const { statusCode } = response;
      const retryAfter = response.headers['retry-after'];
      const responseSnippet = await snippetOf(response.body);
      const error = statusError(statusCode);
      return {
        ok: error === null,
        statusCode,
        durationMs: elapsed(),
        responseSnippet,
        error,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      const nothing = { ok: false, statusCode: null, responseSnippet: null, retryAfter: null };
      return { ...nothing, durationMs: elapsed(), error: callFailureName(error) };
    }
  }

  async close(): Promise<void> {
    await (await this.#client.current())?.agent.destroy();
  }
}
