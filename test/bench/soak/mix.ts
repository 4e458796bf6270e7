import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Place } from '../kill/place.js';
import type { Measured } from '../processes.js';

/** What the load knows of the service. */
export interface Scene extends Place {
  readonly service: Measured;
  readonly deliveryKey: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** Published articles; the load adds and removes some. */
  readonly ids: string[];
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
}

type Send = (call: Call) => Promise<{ status: number; data: Record<string, unknown> }>;
type Step = (scene: Scene, send: Send) => Promise<unknown>;

/** Articles that the load keeps. */
const ARTICLES = 300;
const PAUSE_MS = 10;

const anyOf = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
const title = (): string => `Soak ${Math.random().toString(36).slice(2)}`;

const delivery = '/api/delivery/projects/bench/sites/main';

async function createArticle({ management, siteId, key }: Place, send: Send): Promise<string> {
  const body = { contentTypeApiName: 'article', siteId, fields: { title: title() } };
  const { data } = await send({ method: 'POST', path: `${management}/entries`, key, body });
  const id = String(data.id);
  await send({ method: 'POST', path: `${management}/entries/${id}/publish`, key, body: {} });
  return id;
}

const query = '{ articleCollection(limit: 20) { total items { title } } }';

/** Steps with their shares of the load. */
const steps: readonly (readonly [share: number, step: Step])[] = [
  [
    30,
    ({ ids, deliveryKey: key }, send) =>
      send({ method: 'GET', path: `${delivery}/entries/${anyOf(ids)}`, key }),
  ],
  [15, (_scene, send) => send({ method: 'GET', path: `${delivery}/content/article?limit=25` })],
  [
    15,
    ({ deliveryKey: key }, send) =>
      send({ method: 'POST', path: '/api/graphql/bench', key, body: { query } }),
  ],
  [15, ({ management, key }, send) => send({ method: 'GET', path: `${management}/entries?limit=25`, key })],
  [
    10,
    async ({ management, key, ids }, send) => {
      const path = `${management}/entries/${anyOf(ids)}`;
      const { status, data } = await send({ method: 'GET', path, key });
      if (status !== 200) return;
      await send({ method: 'PUT', path, key, body: { version: data.version, fields: { title: title() } } });
    },
  ],
  [
    10,
    ({ management, key, ids }, send) =>
      send({ method: 'POST', path: `${management}/entries/${anyOf(ids)}/publish`, key, body: {} }),
  ],
  [
    4,
    async (scene, send) => {
      scene.ids.push(await createArticle(scene, send));
      if (scene.ids.length <= ARTICLES) return;
      const id = scene.ids.shift() ?? '';
      await send({ method: 'DELETE', path: `${scene.management}/entries/${id}`, key: scene.key });
    },
  ],
  [1, ({ admin }, send) => send({ method: 'POST', path: '/api/v1/auth/login', body: admin })],
];

const total = steps.reduce((sum, [share]) => sum + share, 0);

function nextStep(): Step {
  let left = Math.random() * total;
  for (const [share, step] of steps) {
    left -= share;
    if (left < 0) return step;
  }
  throw new Error('the shares do not add up');
}

/** Clients that send mixed requests, one at a time each, until they are stopped. */
export class Mix {
  /** Responses by status; 0 without a response. */
  readonly statuses = new Map<number, number>();
  readonly #agent: Agent;
  #isStopped = false;
  #clients: Promise<void>[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly clientCount: number,
  ) {
    this.#agent = new Agent({ connections: clientCount });
  }

  get count(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Creates the articles. */
  async prepare(): Promise<void> {
    while (this.scene.ids.length < ARTICLES)
      this.scene.ids.push(await createArticle(this.scene, (call) => this.#send(call)));
  }

  start(): void {
    this.statuses.clear();
    this.#clients = Array.from({ length: this.clientCount }, () => this.#run());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
    await this.#agent.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await nextStep()(this.scene, (call) => this.#send(call));
      await delay(PAUSE_MS);
    }
  }

  async #send({ method, path, key, body }: Call): ReturnType<Send> {
    const answer = await request(`${this.scene.service.url}${path}`, {
      method,
      dispatcher: this.#agent,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then(
      async (response) => ({ status: response.statusCode, text: await response.body.text() }),
      () => ({ status: 0, text: '{}' }),
    );
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const { data = {} } = JSON.parse(answer.text) as { data?: Record<string, unknown> };
    return { status: answer.status, data };
  }
}
