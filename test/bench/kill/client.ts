import { randomUUID } from 'node:crypto';
import type { ServiceProcess } from '../../support/service-process.js';

/** How a request ended. `refused`: it never arrived. `lost`: nobody knows. */
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

/** One call. */
export interface KillCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
}

const wasRefused = (error: unknown): boolean =>
  ((error as { cause?: { code?: string } }).cause?.code ?? '') === 'ECONNREFUSED';

/** Calls a service that may be gone at any moment and come back at another address. */
export class KillClient {
  service: ServiceProcess | undefined;
  key = '';

  async send({ method, path, body }: KillCall): Promise<Reply> {
    const { service } = this;
    if (service === undefined) return { kind: 'refused' };
    const requestId = randomUUID();
    const headers = {
      'X-Request-Id': requestId,
      'Content-Type': 'application/json',
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

  /** A call that must succeed; answers `data`. */
  async must<T = { id: string }>(call: KillCall): Promise<T> {
    const reply = await this.send(call);
    if (reply.kind !== 'answered' || reply.status >= 300)
      throw new Error(`${call.method} ${call.path}: ${reply.kind === 'answered' ? reply.text : reply.kind}`);
    return reply.data as T;
  }
}
