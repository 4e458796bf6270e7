import type { IncomingMessage } from 'node:http';

/**
 * Hands over a body of a stated length in the turn in which its last byte arrives. Where the caller breaks off the
 * connection is closed, and nothing is handed over.
 */
export function readSizedBody(request: IncomingMessage, length: number, use: (body: Buffer) => void): void {
  let chunks: Buffer[] | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size < length) (chunks ??= []).push(chunk);
    else use(chunks === undefined ? chunk : Buffer.concat([...chunks, chunk], size));
  });
  request.on('error', () => {
    request.destroy();
  });
}
