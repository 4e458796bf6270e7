import { randomUUID } from 'node:crypto';
import type { ServiceProcess } from '../../support/service-process.js';

/** `refused`: the request never arrived. `lost`: its outcome is unknown. */
export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly data: Record<string, unknown>;
      readonly text: string;
      readonly requestId: string;
    }
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost'; readonly requestId: string };

export interface KillCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** `X-Environment`. */
  readonly environment?: string;
}

const wasRefused = (error: unknown): boolean =>
  ((error as { cause?: { code?: string } }).cause?.code ?? '') === 'ECONNREFUSED';

/** Calls a service that can die at any time and restart at another URL. */
export class KillClient<Service extends { readonly url: string } = ServiceProcess> {
  service: Service | undefined;
  key = '';

  async send({ method, path, body, environment }: KillCall): Promise<Reply> {
    const { service } = this;
    if (service === undefined) return { kind: 'refused' };
    const requestId = randomUUID();
    const headers = {
      'X-Request-Id': requestId,
      'Content-Type': 'application/json',
      ...(environment !== undefined && { 'X-Environment': environment }),
      ...(this.key !== '' && { Authorization: `Bearer ${this.key}` }),
    };
    try {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const { data = {} } = JSON.parse(text) as { data?: Record<string, unknown> };
      return { kind: 'answered', status: answer.status, data, text, requestId };
    } catch (error) {
      return wasRefused(error) ? { kind: 'refused' } : { kind: 'lost', requestId };
    }
  }

  /** Returns `data`; throws unless the call succeeds. */
  async must<T = { id: string }>(call: KillCall): Promise<T> {
    const reply = await this.send(call);
    if (reply.kind !== 'answered' || reply.status >= 300)
      throw new Error(`${call.method} ${call.path}: ${reply.kind === 'answered' ? reply.text : reply.kind}`);
    return reply.data as T;
  }
}
