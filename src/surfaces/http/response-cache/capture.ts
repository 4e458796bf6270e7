import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Captured } from './cached-answer.js';

type Chunk = string | Uint8Array | undefined;

/** Names as they were given; node's types do not know of them on responses. */
const named = (response: ServerResponse) =>
  response as ServerResponse & { getRawHeaderNames(): readonly string[] };

const headersOf = (response: ServerResponse): OutgoingHttpHeaders =>
  Object.fromEntries(
    named(response)
      .getRawHeaderNames()
      .map((name) => [name, response.getHeader(name)]),
  );

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
    return body && { status: response.statusCode, headers: headersOf(response), body };
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
  response.once('close', () => tell(undefined));
}
