import { secretOf, type FakeKey } from './fake-service.js';

/** A key that may do everything. */
export const full: FakeKey = { name: 'full', type: 'management' };

/** One request to the endpoint; a POST with {@link full} where nothing else is said. */
export interface Sent {
  readonly key?: FakeKey | null;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly method?: string;
}

/** Sends it and reads the answer as JSON. */
export async function sendTo(url: string, { key = full, headers = {}, body, method = 'POST' }: Sent) {
  const authorization = key === null ? {} : { authorization: `Bearer ${secretOf(key)}` };
  const answer = await fetch(url, {
    method,
    headers: {
      ...(method === 'POST' && {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }),
      ...authorization,
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A JSON-RPC request. */
export const rpc = (method: string, params: unknown = {}, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
/** A call of a tool. */
export const callOf = (name: string, values: unknown) => rpc('tools/call', { name, arguments: values });
