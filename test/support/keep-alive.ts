import { once } from 'node:events';
import http from 'node:http';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

/** Asks over the agent's connections. */
async function get(url: string, agent: http.Agent): Promise<Answer> {
  const [response] = (await once(http.get(url, { agent }), 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += String(part);
  return { status: response.statusCode ?? 0, connection: response.headers.connection, body };
}

/** Asks over a connection of its own. */
export const getFresh = (url: string): Promise<Answer> => get(url, new http.Agent());

/** Asks without a pause on one connection until it cannot connect any more; answers how that showed. */
export async function hammer(url: string): Promise<string | undefined> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) await get(url, agent);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
