import pg from 'pg';
import { memoryMb, type Measured } from '../processes.js';
import { richText } from './content.js';

export const METRICS_TOKEN = 'a-token-of-the-writes';

interface Place {
  readonly service: Measured;
  readonly siteId: string;
  readonly key: string;
  /** Of delivery. */
  readonly readKey: string;
  readonly databaseUrl: string;
}

/** An entry as the client last saw it. */
export interface Known {
  readonly id: string;
  version: number;
}

export class WriteClient {
  readonly #database: pg.Client;
  #isConnected = false;

  constructor(private readonly place: Place) {
    this.#database = new pg.Client({ connectionString: place.databaseUrl });
  }

  get pid(): number {
    return this.place.service.pid;
  }

  async call<T>(method: string, path: string, body: object): Promise<T> {
    const { service, key } = this.place;
    const response = await fetch(`${service.url}/api/v1/projects/bench${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  async get<T>(path: string): Promise<T> {
    const { service, key } = this.place;
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${service.url}/api/v1/projects/bench${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }

  /** A page in English. */
  async make(fields: object): Promise<Known> {
    const { siteId } = this.place;
    const body = { contentTypeApiName: 'page', siteId, locale: 'en', fields };
    return { ...(await this.call<Known>('POST', '/entries', body)) };
  }

  /** Published documents with what they refer to, one after the other. */
  async readMany({ id }: Known, count: number): Promise<void> {
    const address = `/api/delivery/projects/bench/sites/main/entries/${id}?locale=en&include=1`;
    for (let read = 0; read < count; read += 1) {
      const response = await fetch(`${this.place.service.url}${address}`);
      const text = await response.text();
      if (!response.ok) throw new Error(`${address}: ${String(response.status)} ${text}`);
    }
  }

  async queryMany(query: string, count: number): Promise<void> {
    const body = JSON.stringify({ query });
    const headers = { authorization: `Bearer ${this.place.readKey}`, 'content-type': 'application/json' };
    for (let read = 0; read < count; read += 1) {
      const response = await fetch(`${this.place.service.url}/api/graphql/bench`, {
        method: 'POST',
        headers,
        body,
      });
      const text = await response.text();
      if (text.includes('"errors"')) throw new Error(text.slice(0, 500));
    }
  }

  /** An entry with a rich text of this size in each locale. */
  async create(title: string, bytes: number, locales: readonly string[]): Promise<Known> {
    const entry = await this.make({ title, text: richText(bytes) });
    for (const locale of locales.filter((code) => code !== 'en'))
      await this.update(entry, { locale, fields: { title: `${title} ${locale}`, text: richText(bytes) } });
    return entry;
  }

  async update(entry: Known, change: object): Promise<void> {
    const body = { version: entry.version, ...change };
    const { version } = await this.call<Known>('PUT', `/entries/${entry.id}`, body);
    entry.version = version;
  }

  publish({ id }: Known): Promise<unknown> {
    return this.call('POST', `/entries/${id}/publish`, { locale: 'en' });
  }

  /** Of the process's answer to a probe, which takes nothing but a turn of its event loop. */
  async probe(): Promise<void> {
    await (await fetch(`${this.place.service.url}/healthz`)).arrayBuffer();
  }

  /** The longest delay of the event loop since the last look, in ms. */
  async loopDelayMs(): Promise<number> {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = await (await fetch(`${this.place.service.url}/metrics`, { headers })).text();
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN) * 1000;
  }

  memoryMb(): Promise<number> {
    return memoryMb(this.pid);
  }

  /** Bytes that the database wrote to its log during the work. */
  async walOf(work: () => Promise<unknown>): Promise<number> {
    if (!this.#isConnected) await this.#database.connect();
    this.#isConnected = true;
    const position = async (): Promise<string> => {
      const { rows } = await this.#database.query<{ lsn: string }>(
        'SELECT pg_current_wal_insert_lsn() AS lsn',
      );
      return rows[0]?.lsn ?? '0/0';
    };
    const before = await position();
    await work();
    const { rows } = await this.#database.query<{ bytes: string }>(
      'SELECT pg_wal_lsn_diff($1, $2) AS bytes',
      [await position(), before],
    );
    return Number(rows[0]?.bytes ?? 0);
  }

  async close(): Promise<void> {
    if (this.#isConnected) await this.#database.end();
  }
}
