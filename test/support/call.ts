import type { Response } from 'supertest';
import type { TestApp } from './app.js';

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Sent as a bearer credential. */
  readonly key?: string | undefined;
  /** `X-Environment`. */
  readonly environment?: string | undefined;
}

/** Sends a call and parses the JSON response. */
export function send(app: TestApp, { method, path, body, key, environment }: RestCall): Promise<Response> {
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  let call = app.request[verb](path);
  if (key !== undefined) call = call.set('Authorization', `Bearer ${key}`);
  if (environment !== undefined) call = call.set('X-Environment', environment);
  return Promise.resolve(body === undefined ? call : call.send(body as object));
}

/** Returns `data`; fails unless the call succeeds. */
export async function must<T = { id: string }>(app: TestApp, call: RestCall): Promise<T> {
  const response = await send(app, call);
  if (response.status >= 300)
    throw new Error(`${call.method} ${call.path}: ${String(response.status)} ${response.text}`);
  return (response.body as { data: T }).data;
}

/** `details.reason` of a failure. */
export const reasonOf = ({ body }: Pick<Response, 'body'>): unknown =>
  (body as { details?: { reason?: unknown } }).details?.reason;

/** Actions of the audit records that a request left, sorted. */
export async function actionsOf(app: TestApp, { headers }: Response): Promise<string[]> {
  const rows = await app.rows<{ action: string }>(
    null,
    "SELECT action FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY action",
    [(headers as Record<string, string>)['x-request-id']],
  );
  return rows.map(({ action }) => action);
}

/** Calls of a user about themselves. */
export const ownCalls =
  (app: () => TestApp) =>
  (
    method: RestCall['method'],
    path: string,
    { token: key }: { readonly token: string },
    body?: object,
  ): Promise<Response> =>
    send(app(), { method, path: `/api/v1/me${path}`, key, body });
