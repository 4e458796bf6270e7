import type { Response } from 'supertest';
import type { RestCall } from '../../support/call.js';
import type { TestApp } from '../../support/app.js';

/** A call that comes over the proxy which the service trusts. */
export interface ForwardedCall extends RestCall {
  /** `X-Forwarded-For` as the proxy hands it on. */
  readonly from: string;
}

/** Sends a call from an address of one's choice. */
export function sendFrom(app: TestApp, { method, path, body, key, from }: ForwardedCall): Promise<Response> {
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  let call = app.request[verb](path).set('X-Forwarded-For', from);
  if (key !== undefined) call = call.set('Authorization', `Bearer ${key}`);
  return Promise.resolve(body === undefined ? call : call.send(body as object));
}
