import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface ToldEvent {
  readonly type: string;
  readonly data: { readonly entryId?: string; readonly version?: number };
}

/** Listens for what the service tells of its events. */
export class Receiver {
  /** How often each event came: `entry.updated <entry> <version>`. */
  readonly told = new Map<string, number>();
  readonly #server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { type, data } = JSON.parse(body) as ToldEvent;
      const event = `${type} ${String(data.entryId)} ${String(data.version)}`;
      this.told.set(event, (this.told.get(event) ?? 0) + 1);
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
