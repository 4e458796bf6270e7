import { once } from 'node:events';
import http from 'node:http';

export interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

async function get(url: string, agent: http.Agent): Promise<Answer> {
  const [response] = (await once(http.get(url, { agent }), 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += String(part);
  return { status: response.statusCode ?? 0, connection: response.headers.connection, body };
}

export const getFresh = (url: string): Promise<Answer> => get(url, new http.Agent());

/** Repeats requests on one connection until it cannot connect. */
export interface Hammer {
  /** Resolves with the first response. */
  readonly isConnected: Promise<unknown>;
  /** The final error's code. */
  readonly end: Promise<string | undefined>;
}

async function hammerOn(url: string, agent: http.Agent): Promise<string | undefined> {
  try {
    for (;;) await get(url, agent);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

export function hammer(url: string): Hammer {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const first = get(url, agent);
  return { isConnected: first, end: first.then(() => hammerOn(url, agent)) };
}
