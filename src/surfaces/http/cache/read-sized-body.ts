import type { IncomingMessage } from 'node:http';

/**
 * Calls `use` synchronously with the last byte, which a promise would not. An aborted request closes the
 * connection.
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
