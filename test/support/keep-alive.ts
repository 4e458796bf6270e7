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

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function hammerOn(url: string, agent: http.Agent, retries: number): Promise<string | undefined> {
  for (let failures = 0; ;)
    try {
      await get(url, agent);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (codeOf(error) !== 'ECONNRESET' || failures > retries) return codeOf(error);
    }
}

/** @param retries how often a request may be reset before it succeeds */
export function hammer(url: string, retries = 0): Hammer {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const first = get(url, agent);
  return { isConnected: first, end: first.then(() => hammerOn(url, agent, retries)) };
}
