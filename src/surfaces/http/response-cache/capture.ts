import type { ServerResponse } from 'node:http';
import type { Captured } from './cached-answer.js';

/** Names as they were given; node's types do not know of them on responses. */
const named = (response: ServerResponse) =>
  response as ServerResponse & { getRawHeaderNames(): readonly string[] };

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

type Chunk = string | Uint8Array | undefined;

/**
 * Looks on while an answer is made. One that is given as a whole is held back and handed over; one that is
 * streamed goes out as it comes, and a copy is handed over at its end.
 */
export function captureAnswer(response: ServerResponse, { maximumBytes, onAnswer }: CaptureOptions): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  let chunks: Buffer[] | undefined = [];
  let size = 0;
  let isStreamed = false;
  let isTold = false;

  const tell = (answer: Captured | undefined): boolean => {
    if (isTold) return false;
    isTold = true;
    return onAnswer(answer, isStreamed);
  };
  const keep = (chunk: Chunk): void => {
    if (chunk === undefined || chunks === undefined) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : Buffer.from(chunk);
    size += bytes.length;
    if (size > maximumBytes) chunks = undefined;
    else chunks.push(bytes);
  };
  const whole = (): Captured | undefined =>
    chunks && {
      status: response.statusCode,
      headers: Object.fromEntries(
        named(response)
          .getRawHeaderNames()
          .map((name) => [name, response.getHeader(name)]),
      ),
      body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size),
    };

  Object.assign(response, {
    write: (chunk: Chunk, ...rest: unknown[]) => {
      isStreamed = true;
      keep(chunk);
      return write(chunk, ...rest);
    },
    end: (first?: unknown, ...rest: unknown[]) => {
      const chunk = typeof first === 'string' || first instanceof Uint8Array ? first : undefined;
      keep(chunk);
      Object.assign(response, { write, end });
      if (isStreamed) {
        end(first, ...rest);
        tell(whole());
        return response;
      }
      return tell(whole()) ? response : end(first, ...rest);
    },
  });
  response.once('close', () => tell(undefined));
}
