import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to requests: they pass, their connection ends, or they get no response. */
type SwitchState = 'pass' | 'cut' | 'hang';

/** Passes requests on to a server, or fails in its place. */
export interface Switch {
  readonly url: string;
  set(state: SwitchState): void;
  /** Calls back before a request is passed on; what it throws ends the connection instead. */
  watch(before: ((request: http.IncomingMessage, body: Buffer) => void) | undefined): void;
  close(): Promise<void>;
}

async function bodyOf(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function startSwitch(target: string): Promise<Switch> {
  let state: SwitchState = 'pass';
  let before: Parameters<Switch['watch']>[0];
  const server = http.createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (state === 'hang') return;
      if (state === 'cut') throw new Error('cut');
      before?.(request, body);
      const { method = 'GET', url = '/', headers } = request;
      const passed = http.request(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => request.socket.destroy());
      passed.end(body);
    })().catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    set: (next) => {
      state = next;
      if (next !== 'hang') server.closeAllConnections();
    },
    watch: (given) => {
      before = given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
