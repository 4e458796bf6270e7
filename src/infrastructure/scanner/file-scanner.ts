import { open, stat } from 'node:fs/promises';
import net from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Neighbour, NeighbourCall } from '../neighbours/neighbour.js';
import { soleNeighbour } from '../neighbours/neighbours.js';
import { ClientLeft } from '../work-context.js';
import { awaitedLater } from '../promises.js';

const DEFAULT_PORT = 3310;
const CHUNK_BYTES = 64 * 1024;
const LONGEST_REPLY = 4096;

/** `INSTREAM`: chunks with their length before them, then a length of zero. */
async function* instream(file: string, progressed: () => void): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0', 'latin1');
  const handle = await open(file, 'r');
  for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES })) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE((chunk as Buffer).length);
    yield length;
    yield chunk as Buffer;
    progressed();
  }
  yield Buffer.alloc(4);
}

async function replyOf(socket: net.Socket): Promise<string> {
  let reply = '';
  for await (const chunk of socket) {
    reply += (chunk as Buffer).toString('utf8');
    if (reply.includes('\0') || reply.length > LONGEST_REPLY) break;
  }
  return reply.replace(/\0[\s\S]*$/, '').trim();
}

/** Whether clamd finds nothing. @throws Error without a verdict */
async function scanWithClamd(
  url: URL,
  file: string,
  { signal, progressed }: { readonly signal: AbortSignal; progressed(): void },
): Promise<boolean> {
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const socket = net.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, signal });
  try {
    const reply = replyOf(socket);
    // A refusal arrives while the file is still being sent.
    void awaitedLater(pipeline(instream(file, progressed), socket, { end: false, signal }));
    const verdict = await reply;
    if (verdict.endsWith(' FOUND')) return false;
    if (verdict.endsWith(': OK')) return true;
    throw new Error(`no verdict: ${verdict.slice(0, 200)}`);
  } finally {
    socket.destroy();
  }
}

interface HttpsScanner {
  readonly url: string;
  readonly secret: Uint8Array;
  readonly signal: AbortSignal;
  /** Called as bytes are sent. */
  progressed(): void;
}

/**
 * Posts the file. The scanner responds with `{"status": "clean"}` or `{"status": "infected"}`. It verifies the sender
 * by `X-Headwater-Signature`: the HMAC-SHA256, in hexadecimal, of `X-Headwater-Timestamp` and the length of the body,
 * joined by a dot.
 * @throws Error without a verdict
 */
async function scanOverHttps(
  { url, secret, signal, progressed }: HttpsScanner,
  file: string,
): Promise<boolean> {
  const { request } = await import('undici');
  const { size } = await stat(file);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { statusCode, body } = await request(url, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'x-headwater-timestamp': timestamp,
      'x-headwater-signature': createHmac('sha256', secret)
        .update(`${timestamp}.${String(size)}`)
        .digest('hex'),
    },
    headersTimeout: 0,
    body: createReadStream(file).on('data', progressed),
  });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`the scanner responded with ${String(statusCode)}`);
  }
  const { status } = (await body.json()) as { status?: unknown };
  if (status !== 'clean' && status !== 'infected') throw new Error('the scanner gave no verdict');
  return status === 'clean';
}

export type ScanStatus = 'clean' | 'infected' | 'failed' | 'skipped';

interface ScannerOptions {
  /** `clamd://host:port` or `https://…`; unset: files are not scanned. */
  readonly url?: string | undefined;
  /** Signs requests to an https scanner. */
  readonly secret: Uint8Array;
  readonly neighbour?: Neighbour | undefined;
}

/** A scanner that needs longer for a file has no verdict. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/** Looks for malware in files. */
export class FileScanner {
  readonly #neighbour: Neighbour;

  constructor(private readonly options: ScannerOptions) {
    this.#neighbour = options.neighbour ?? soleNeighbour('scanner');
  }

  /** A scanner that is unavailable is `failed`. @throws ClientLeft */
  async scan(file: string): Promise<ScanStatus> {
    const { url } = this.options;
    if (url === undefined) return 'skipped';
    try {
      const isClean = await this.#neighbour.call((call) => this.#ask(url, file, call));
      return isClean ? 'clean' : 'infected';
    } catch (error) {
      if (error instanceof ClientLeft) throw error;
      return 'failed';
    }
  }

  async #ask(url: string, file: string, call: NeighbourCall): Promise<boolean> {
    const { size } = await stat(file);
    const scanMs = (size / BYTES_PER_SECOND) * 1000;
    const progressed = (): void => {
      call.progressed(scanMs);
    };
    progressed();
    const { signal } = call;
    return url.startsWith('clamd:')
      ? scanWithClamd(new URL(url), file, { signal, progressed })
      : scanOverHttps({ url, secret: this.options.secret, signal, progressed }, file);
  }
}
