import { open } from 'node:fs/promises';
import net from 'node:net';
import { pipeline } from 'node:stream/promises';

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
export async function scanWithClamd(
  url: URL,
  file: string,
  { signal, progressed }: { readonly signal: AbortSignal; progressed(): void },
): Promise<boolean> {
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const socket = net.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, signal });
  try {
    const reply = replyOf(socket);
    // A refusal arrives while the file is still being sent.
    const sent = pipeline(instream(file, progressed), socket, { end: false, signal });
    sent.catch(() => undefined);
    const verdict = await reply;
    if (verdict.endsWith(' FOUND')) return false;
    if (verdict.endsWith(': OK')) return true;
    throw new Error(`no verdict: ${verdict.slice(0, 200)}`);
  } finally {
    socket.destroy();
  }
}
