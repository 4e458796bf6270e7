import { setTimeout as delay } from 'node:timers/promises';
import type { KillCall, KillClient, Reply } from './client.js';
import type { Ledger } from './ledger.js';
import type { Seeded } from './seeded.js';

export interface WriterParts {
  readonly client: KillClient;
  readonly ledger: Ledger;
  readonly random: Seeded;
  /** `/api/v1/projects/{slug}` */
  readonly management: string;
  readonly siteId: string;
  readonly name: string;
}

interface OwnEntry {
  readonly id: string;
  version: number;
  isPublished: boolean;
}

const ENTRIES_PER_BULK = 3;
const RETRY_MILLISECONDS = 50;

/** Writes continuously and records acknowledgements. Stops using entries whose state is unknown. */
export class Writer {
  #entries: OwnEntry[] = [];
  #count = 0;
  #isStopped = false;

  constructor(private readonly parts: WriterParts) {}

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) await this.#step();
  }

  async #step(): Promise<void> {
    const { random } = this.parts;
    const chance = random.next();
    const waiting = this.#entries.filter(({ isPublished }) => !isPublished);
    if (this.#entries.length === 0 || chance < 0.4) return this.#create();
    if (chance < 0.7) return this.#update(random.one(this.#entries));
    if (chance < 0.85 || waiting.length < ENTRIES_PER_BULK) return this.#publish(random.one(this.#entries));
    return this.#bulk(waiting.slice(0, ENTRIES_PER_BULK));
  }

  #title(): string {
    this.#count += 1;
    return `${this.parts.name}-${this.#count}`;
  }

  async #create(): Promise<void> {
    const title = this.#title();
    const { siteId, ledger } = this.parts;
    const body = { contentTypeApiName: 'article', siteId, fields: { title } };
    const data = await this.#send({ method: 'POST', path: '/entries', body }, []);
    if (data === undefined) return;
    const id = String(data.id);
    ledger.versions.push({ entryId: id, version: Number(data.version), title });
    this.#entries.push({ id, version: Number(data.version), isPublished: false });
  }

  async #update(entry: OwnEntry): Promise<void> {
    const title = this.#title();
    const body = { version: entry.version, fields: { title } };
    const data = await this.#send({ method: 'PUT', path: `/entries/${entry.id}`, body }, [entry]);
    if (data === undefined) return;
    entry.version = Number(data.version);
    this.parts.ledger.versions.push({ entryId: entry.id, version: entry.version, title });
  }

  async #publish(entry: OwnEntry): Promise<void> {
    // Publishing an unchanged entry changes nothing and leaves no record.
    if (entry.isPublished) return this.#update(entry);
    const path = `/entries/${entry.id}/publish`;
    const data = await this.#send({ method: 'POST', path, body: { version: entry.version } }, [entry]);
    if (data === undefined) return;
    entry.isPublished = true;
    this.parts.ledger.published.push({ entryId: entry.id, version: entry.version });
  }

  /** Publishes all or none; afterwards no other call publishes them. */
  async #bulk(entries: OwnEntry[]): Promise<void> {
    const entryIds = entries.map(({ id }) => id);
    this.#entries = this.#entries.filter((entry) => !entries.includes(entry));
    const body = { action: 'publish', entryIds, params: { atomic: true } };
    const reply = await this.parts.client.send({
      method: 'POST',
      path: `${this.parts.management}/entries/bulk`,
      body,
    });
    const isAcknowledged = reply.kind === 'answered' && reply.status < 300;
    if (reply.kind !== 'refused')
      this.parts.ledger.bulks.push({ requestId: reply.requestId, entryIds, isAcknowledged });
    this.#note(reply);
    if (reply.kind === 'refused') await delay(RETRY_MILLISECONDS);
  }

  /** Sends a change; when its outcome is unknown, stops using the entries. */
  async #send(call: KillCall, concerned: readonly OwnEntry[]): Promise<Record<string, unknown> | undefined> {
    const reply = await this.parts.client.send({ ...call, path: `${this.parts.management}${call.path}` });
    this.#note(reply);
    if (reply.kind === 'answered' && reply.status < 300) return reply.data;
    if (reply.kind === 'refused') await delay(RETRY_MILLISECONDS);
    else this.#entries = this.#entries.filter((entry) => !concerned.includes(entry));
    return undefined;
  }

  #note(reply: Reply): void {
    const { ledger } = this.parts;
    if (reply.kind === 'lost') ledger.unanswered += 1;
    if (reply.kind !== 'answered') return;
    if (reply.status < 300) ledger.acknowledged.push(reply.requestId);
    else if (reply.status !== 503) ledger.unexpected.push(`${reply.status} ${reply.text.slice(0, 200)}`);
  }
}
