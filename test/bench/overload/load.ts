import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** One request to repeat. */
export interface Shot {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How requests ended: how many with each status, 0 for none at all, and how long each kind took, in ms. */
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

  /** The time within which this share of the refusals, or of the answers, came. */
  within(kind: 'served' | 'refused', share: number): number {
    const times = [...(kind === 'served' ? this.#served : this.#refused)].sort((a, b) => a - b);
    return Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  }
}

async function fire(agent: Agent, shots: () => Shot, outcome: Outcome): Promise<void> {
  const { url, ...options } = shots();
  const begun = performance.now();
  try {
    const { statusCode, body } = await request(url, { ...options, dispatcher: agent });
    await body.dump();
    outcome.note(statusCode, performance.now() - begun);
  } catch {
    outcome.note(0, performance.now() - begun);
  }
}

/** As many requests as the service takes, so many at a time. */
export async function closedLoop(shots: () => Shot, clients: number, seconds: number): Promise<Outcome> {
  const [agent, outcome] = [new Agent({ connections: clients }), new Outcome()];
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) await fire(agent, shots, outcome);
  };
  await Promise.all(Array.from({ length: clients }, client));
  await agent.close();
  return outcome;
}

const TICK_MILLISECONDS = 10;

/** So many requests a second, whether the service keeps up or not. */
export async function openLoop(shots: () => Shot, perSecond: number, seconds: number): Promise<Outcome> {
  const [agent, outcome] = [new Agent({ connections: null }), new Outcome()];
  const begun = performance.now();
  const pending: Promise<void>[] = [];
  for (let passed = 0; passed < seconds * 1000; passed = performance.now() - begun) {
    const due = Math.floor((passed / 1000) * perSecond);
    while (pending.length < due) pending.push(fire(agent, shots, outcome));
    await delay(TICK_MILLISECONDS);
  }
  await Promise.all(pending);
  await agent.close();
  return outcome;
}
