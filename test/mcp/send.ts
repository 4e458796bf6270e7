import { secretOf, type FakeKey } from './fake-service.js';

/** A key without restrictions. */
export const full: FakeKey = { name: 'full', type: 'management' };

/** One request to the endpoint; by default a POST with {@link full}. */
export interface RpcRequest {
  readonly key?: FakeKey | null;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly method?: string;
}

export async function sendTo(url: string, { key = full, headers = {}, body, method = 'POST' }: RpcRequest) {
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

export const rpc = (method: string, params: unknown = {}, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
export const callTool = (name: string, values: unknown) => rpc('tools/call', { name, arguments: values });
