import type { IncomingMessage } from 'node:http';

/**
 * Passes on a body of a stated length in the turn in which its last byte arrives, which a promise would not. If the
 * client breaks off, the connection is closed and `use` is not called.
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
