import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { bodyOf, receiveWhole } from '../whole-answer.js';
import type { Captured } from './cached-answer.js';

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

type Chunk = string | Uint8Array | undefined;

/** Names as they were given; node's types do not know of them on responses. */
const named = (response: ServerResponse) =>
  response as ServerResponse & { getRawHeaderNames(): readonly string[] };

/** Headers that belong to one exchange, or that the form of the body decides. */
const ownHeaders = new Set([
  'x-request-id',
  'content-length',
  'etag',
  'connection',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
]);

/** The headers that everybody who gets the answer is sent, names and values in turns. */
const headersOf = (response: ServerResponse): string[] =>
  named(response)
    .getRawHeaderNames()
    .flatMap((name) => {
      const value = response.getHeader(name);
      if (ownHeaders.has(name.toLowerCase()) || value === undefined) return [];
      return [name, Array.isArray(value) ? value.join(', ') : String(value)];
    });

/** The entity tag of a complete answer: its own, or one of its bytes. */
function tagOf(response: ServerResponse, body: Buffer): string | undefined {
  if (response.statusCode !== 200) return undefined;
  const given = response.getHeader('etag');
  return typeof given === 'string' ? given : `"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** The bytes of a body as they go by, as long as they are not too many. */
class Copy {
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  constructor(private readonly maximumBytes: number) {}

  add(chunk: Chunk): void {
    if (chunk === undefined || this.#chunks === undefined) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : Buffer.from(chunk);
    this.#size += bytes.length;
    if (this.#size > this.maximumBytes) this.#chunks = undefined;
    else this.#chunks.push(bytes);
  }

  /** Undefined where there were too many. */
  get body(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks, this.#size);
  }
}

/** What becomes of an answer that was captured. */
interface CaptureOptions {
  /** An answer that is larger goes its way, and only that. */
  readonly maximumBytes: number;
  /**
   * Told once of the whole answer, or of undefined where there is none.
   * @returns whether it has sent the answer; never asked of one that was streamed
   */
  onAnswer(answer: Captured | undefined, isSent: boolean): boolean;
}

/**
 * Looks on while an answer is made. One that is given as a whole is held back and handed over; one that is
 * streamed goes out as it comes, and a copy is handed over at its end.
 */
export function captureAnswer(response: ServerResponse, { maximumBytes, onAnswer }: CaptureOptions): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  const copy = new Copy(maximumBytes);
  let isStreamed = false;
  let isTold = false;

  const tell = (answer: Captured | undefined): boolean => {
    if (isTold) return false;
    isTold = true;
    return onAnswer(answer, isStreamed);
  };
  const whole = (): Captured | undefined => {
    const { body } = copy;
    return (
      body && {
        status: response.statusCode,
        headers: headersOf(response),
        tag: tagOf(response, body),
        body: bodyOf(body),
        isEncoded: response.hasHeader('content-encoding'),
      }
    );
  };

  Object.assign(response, {
    write: (chunk: Chunk, ...rest: unknown[]) => {
      isStreamed = true;
      copy.add(chunk);
      return write(chunk, ...rest);
    },
    end: (first?: unknown, ...rest: unknown[]) => {
      const chunk = typeof first === 'string' || first instanceof Uint8Array ? first : undefined;
      copy.add(chunk);
      Object.assign(response, { write, end });
      if (isStreamed) {
        end(first, ...rest);
        tell(whole());
        return response;
      }
      return tell(whole()) ? response : end(first, ...rest);
    },
  });
  receiveWhole(response, ({ headers, tag, body }) => {
    if (body.length > maximumBytes) return false;
    Object.assign(response, { write, end });
    return tell({ status: 200, headers: [...headers, ...JSON_TYPE], tag, body, isEncoded: false });
  });
  response.once('close', () => tell(undefined));
}
