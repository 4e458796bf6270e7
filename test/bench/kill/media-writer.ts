import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KillClient } from './client.js';
import type { Seeded } from './seeded.js';

/** What the service acknowledged. */
export class MediaLedger {
  readonly files: { readonly assetId: string; readonly checksum: string }[] = [];
  /** Requests whose connection ended before a response. */
  unanswered = 0;
  /** Responses other than success and 503. */
  readonly unexpected: string[] = [];
}

export interface MediaWriterParts {
  readonly client: KillClient;
  readonly ledger: MediaLedger;
  readonly random: Seeded;
  /** `/api/v1/projects/{slug}` */
  readonly management: string;
}

interface Body {
  readonly type: string | undefined;
  readonly body: string | Buffer | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

type Data = Readonly<Record<string, unknown>>;

const RETRY_MILLISECONDS = 50;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A text of 2 to 300 KB. */
const randomFile = (random: Seeded): Buffer =>
  Buffer.from(randomBytes(Math.round(random.between(1000, 150_000))).toString('hex'));

function formOf(bytes: Buffer): Body {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'text/plain' }), 'file.txt');
  return { type: undefined, body: form };
}

const json = (value: object): Body => ({ type: 'application/json', body: JSON.stringify(value) });

/** Uploads, replaces and resumes continuously, and records acknowledgements. */
export class MediaWriter {
  readonly #assetIds: string[] = [];
  #isStopped = false;

  constructor(private readonly parts: MediaWriterParts) {}

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) await this.#step();
  }

  async #step(): Promise<void> {
    const { random } = this.parts;
    const chance = random.next();
    const bytes = randomFile(random);
    if (chance < 0.4 || this.#assetIds.length === 0)
      this.#note(await this.#send('POST', '/media/upload', formOf(bytes)), bytes);
    else if (chance < 0.7) {
      const path = `/media/${random.one(this.#assetIds)}/file`;
      this.#note(await this.#send('PUT', path, formOf(bytes)), bytes);
    } else await this.#resumable(bytes);
  }

  /** Resumes after kills as clients of tus do. */
  async #resumable(bytes: Buffer): Promise<void> {
    const file = {
      fileName: 'large.txt',
      size: bytes.length,
      mimeType: 'text/plain',
      checksum: sha256(bytes),
    };
    const upload = await this.#send('POST', '/media/uploads', json(file));
    if (upload === undefined) return;
    const path = `/media/uploads/${String(upload.id)}`;
    while (!this.#isStopped) {
      const current = await this.#send('GET', path);
      const offset = Number(current?.offset ?? Number.NaN);
      if (Number.isNaN(offset)) continue;
      if (offset === bytes.length) break;
      const end = offset + Math.ceil(bytes.length / 3);
      const headers = { 'Upload-Offset': String(offset), 'Tus-Resumable': '1.0.0' };
      await this.#send('PATCH', path, {
        type: 'application/offset+octet-stream',
        body: bytes.subarray(offset, end),
        headers,
      });
    }
    for (let done = false; !done && !this.#isStopped;) {
      const asset = await this.#send('POST', `${path}/complete`);
      done = asset !== undefined;
      this.#note(asset, bytes);
    }
  }

  #note(asset: Data | undefined, bytes: Buffer): void {
    if (asset === undefined) return;
    const assetId = String(asset.id);
    this.parts.ledger.files.push({ assetId, checksum: sha256(bytes) });
    if (!this.#assetIds.includes(assetId)) this.#assetIds.push(assetId);
  }

  /** The `data` of a success. */
  async #send(method: string, path: string, sent?: Body): Promise<Data | undefined> {
    const { client, ledger, management } = this.parts;
    const { service, key } = client;
    if (service === undefined) {
      await delay(RETRY_MILLISECONDS);
      return undefined;
    }
    try {
      const response = await fetch(`${service.url}${management}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(sent?.type !== undefined && { 'Content-Type': sent.type }),
          ...sent?.headers,
        },
        ...(sent !== undefined && { body: sent.body as NonNullable<RequestInit['body']> }),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? {} : (JSON.parse(text) as { data: Data }).data;
      if (response.status !== 503) ledger.unexpected.push(`${path} ${String(response.status)} ${text}`);
    } catch {
      ledger.unanswered += 1;
      await delay(RETRY_MILLISECONDS);
    }
    return undefined;
  }
}
