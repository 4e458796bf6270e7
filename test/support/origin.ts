import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (response: http.ServerResponse, request: http.IncomingMessage) => void;

/** A server on loopback, which the service of the tests may reach. */
export class Origin {
  readonly requests: string[] = [];
  readonly #handlers = new Map<string, Handler>();
  readonly #server = http.createServer((request, response) => {
    this.requests.push(request.url ?? '');
    const handler = this.#handlers.get((request.url ?? '').split('?')[0] ?? '');
    if (handler === undefined) response.writeHead(404).end();
    else handler(response, request);
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** @returns the URL */
  serve(path: string, handler: Handler): string {
    this.#handlers.set(path, handler);
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}${path}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export const file = (bytes: Buffer, headers: http.OutgoingHttpHeaders = {}): Handler => {
  return (response) => response.writeHead(200, headers).end(bytes);
};
