import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface WebhookEvent {
  readonly type: string;
  readonly data: { readonly entryId?: string; readonly version?: number };
}

/** Receives webhook deliveries. */
export class Receiver {
  /** Number of deliveries by `entry.updated <entry> <version>`. */
  readonly deliveries = new Map<string, number>();
  readonly #server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { type, data } = JSON.parse(body) as WebhookEvent;
      const event = `${type} ${String(data.entryId)} ${String(data.version)}`;
      this.deliveries.set(event, (this.deliveries.get(event) ?? 0) + 1);
      response.end();
    });
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
