import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A request to repeat. */
export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Responses by status (0 for none) and their times in ms. */
export class Outcome {
  readonly statuses = new Map<number, number>();
  readonly #served: number[] = [];
  readonly #refused: number[] = [];

  note(status: number, milliseconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 200 && status < 300) this.#served.push(milliseconds);
    else this.#refused.push(milliseconds);
  }

  get served(): number {
    return this.#served.length;
  }

  /** The quantile `share` of response times, in tenths of ms. */
  within(kind: 'served' | 'refused', share: number): number {
    const times = [...(kind === 'served' ? this.#served : this.#refused)].sort((a, b) => a - b);
    const time = times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return Math.round(time * 10) / 10;
  }
}

async function fire(agent: Agent, nextRequest: () => LoadRequest, outcome: Outcome): Promise<void> {
  const { url, ...options } = nextRequest();
  const startedAt = performance.now();
  try {
    const { statusCode, body } = await request(url, { ...options, dispatcher: agent });
    await body.dump();
    outcome.note(statusCode, performance.now() - startedAt);
  } catch {
    outcome.note(0, performance.now() - startedAt);
  }
}

/** Sends as many requests as the service serves, `clients` at a time. */
export async function closedLoop(
  nextRequest: () => LoadRequest,
  clients: number,
  seconds: number,
): Promise<Outcome> {
  const [agent, outcome] = [new Agent({ connections: clients }), new Outcome()];
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) await fire(agent, nextRequest, outcome);
  };
  await Promise.all(Array.from({ length: clients }, client));
  await agent.close();
  return outcome;
}

/** Sends `perSecond` requests, those of each tick at once, whether or not the service keeps up. */
export async function openLoop(
  nextRequest: () => LoadRequest,
  perSecond: number,
  { seconds, tickMs = 10 }: { readonly seconds: number; readonly tickMs?: number },
): Promise<Outcome> {
  const [agent, outcome] = [new Agent({ connections: null }), new Outcome()];
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  for (let passed = 0; passed < seconds * 1000; passed = performance.now() - startedAt) {
    const due = Math.floor((passed / 1000) * perSecond);
    while (pending.length < due) pending.push(fire(agent, nextRequest, outcome));
    await delay(tickMs);
  }
  await Promise.all(pending);
  await agent.close();
  return outcome;
}
