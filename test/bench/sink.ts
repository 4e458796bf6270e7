import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Sink {
  readonly url: string;
  close(): void;
}

/** Accepts whatever is sent to it, and looks at none of it. */
export async function startSink(): Promise<Sink> {
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
