import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp } from '../../support/app.js';
import { must } from '../../support/call.js';
import type { TestProject } from '../../support/factories/project.js';

export interface ReceivedCall {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly message: ReceivedMessage;
}

interface ReceivedMessage {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly project: { readonly slug: string };
  readonly environment: string;
  readonly actor: { readonly type: string; readonly name: string };
  readonly data: Record<string, unknown>;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A webhook target on loopback. */
export interface Receiver {
  readonly url: string;
  readonly calls: ReceivedCall[];
  close(): Promise<void>;
}

/** Listens on a free port; `answer` decides the response to each call. */
export async function openReceiver(
  answer: (call: ReceivedCall) => Answer | Promise<Answer> = () => ({ status: 204 }),
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const message = JSON.parse(body) as ReceivedMessage;
      const call = { path: request.url ?? '', headers: request.headers, body, message };
      calls.push(call);
      void Promise.resolve(answer(call)).then(({ status, headers = {}, body: text }) =>
        response.writeHead(status, headers).end(text),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface MadeWebhook {
  readonly id: string;
  readonly secret: string;
  readonly secretPreview: string;
}

export function createWebhook(
  app: TestApp,
  { management, keys }: TestProject,
  body: object,
): Promise<MadeWebhook> {
  return must<MadeWebhook>(app, {
    method: 'POST',
    path: `${management}/webhooks`,
    key: keys.management,
    body: { name: 'Hook', events: ['*'], ...body },
  });
}
