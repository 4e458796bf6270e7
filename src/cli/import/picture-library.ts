import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../contracts/errors.js';
import type { FileSource } from '../../../contracts/media/media/media-file.js';
import type { OperationsClient } from '../client/operations-client.js';
import { reasonOf } from './send-items.js';
import type { Progress } from '../progress.js';
import { readFailure } from './read-lines.js';
import type { AltTexts } from './survey.js';

interface Task {
  readonly key: string;
  run(): Promise<void>;
}

/** Tasks that may wait per running task. */
const WAITING_PER_WORKER = 16;

/**
 * Runs tasks concurrently, those of one key in order. Adding waits while the queue is full, so that a long list is
 * never in memory as a whole.
 */
export class KeyedPool {
  readonly #waiting: Task[] = [];
  readonly #busy = new Set<string>();
  readonly #wake: (() => void)[] = [];

  /** @param size tasks that run concurrently */
  constructor(private readonly size: number) {}

  /** Adds a task, which must not reject; resolves when there is room for the next one. */
  async add(key: string, run: () => Promise<void>): Promise<void> {
    this.#waiting.push({ key, run });
    this.#start();
    while (this.#waiting.length >= this.size * WAITING_PER_WORKER) await this.#change();
  }

  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#busy.size > 0) await this.#change();
  }

  #start(): void {
    while (this.#busy.size < this.size) {
      const next = this.#waiting.findIndex(({ key }) => !this.#busy.has(key));
      const [task] = next < 0 ? [] : this.#waiting.splice(next, 1);
      if (task === undefined) return;
      this.#busy.add(task.key);
      void task.run().finally(() => {
        this.#busy.delete(task.key);
        this.#start();
        for (const wake of this.#wake.splice(0)) wake();
      });
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
    });
  }
}

export interface PictureOptions {
  readonly client: OperationsClient;
  readonly projectSlug: string;
  /** The corpus; its pictures are in the folder `images` beside it. */
  readonly file: string;
  /** Alternative texts in other locales are left out. */
  readonly locales: readonly string[];
  readonly concurrency: number;
  readonly progress: Progress;
}

export interface PictureReport {
  readonly uploaded: number;
  /** Files that the project already had. */
  readonly known: number;
  /** Written alternative texts. */
  readonly texts: number;
  /** Reasons by file. */
  readonly problems: ReadonlyMap<string, string>;
}

interface KnownAsset {
  readonly id: string;
  /** Own alternative texts by locale. */
  readonly texts: AltTexts;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw new Error(`the file cannot be read: ${readFailure(error)}`, { cause: error });
  }
  return hash.digest('hex');
}

const sourceOf = (file: string): FileSource => ({
  fileName: path.basename(file),
  open: () => createReadStream(file),
  bytesAtMost: () => undefined,
  complete: Promise.resolve(),
});

/** Stores each picture of a corpus once, with its alternative texts. Only differences are written. */
export class PictureLibrary {
  /** Ids of assets by file. */
  readonly ids = new Map<string, string>();
  readonly #problems = new Map<string, string>();
  #uploaded = 0;
  #texts = 0;

  constructor(private readonly options: PictureOptions) {}

  get report(): PictureReport {
    const [uploaded, texts, problems] = [this.#uploaded, this.#texts, this.#problems];
    return { uploaded, known: this.ids.size - uploaded, texts, problems };
  }

  /** A picture that fails is reported, and left out of its pages. */
  async store(pictures: ReadonlyMap<string, AltTexts>): Promise<void> {
    const { concurrency, progress } = this.options;
    if (pictures.size === 0) return;
    progress.start(pictures.size);
    const pool = new KeyedPool(concurrency);
    try {
      for (const [name, texts] of pictures)
        await pool.add(name, async () => {
          await this.#storeOne(name, texts).catch((error: unknown) => {
            this.#problems.set(name, error instanceof AppError ? reasonOf(error) : (error as Error).message);
          });
          progress.advance();
        });
      await pool.drain();
    } finally {
      progress.stop();
    }
  }

  async #storeOne(name: string, texts: AltTexts): Promise<void> {
    const { client, projectSlug, locales, file } = this.options;
    const picture = path.join(path.dirname(file), 'images', name);
    const wanted = [...texts].filter(([locale, text]) => text !== '' && locales.includes(locale));
    const asset = (await this.#find(picture)) ?? (await this.#upload(picture));
    this.ids.set(name, asset.id);
    for (const [locale, altText] of wanted) {
      if (asset.texts.get(locale) === altText) continue;
      await client.call('media', 'putLocale', { projectSlug, id: asset.id, locale, altText });
      this.#texts += 1;
    }
  }

  /** The oldest asset with this content that every reader of the project sees. */
  async #find(picture: string): Promise<KnownAsset | undefined> {
    const { client, projectSlug } = this.options;
    const { data } = await client.call('media', 'list', {
      projectSlug,
      sourceChecksum: [await hashOf(picture)],
      orderBy: 'createdAt:asc',
      limit: 100,
    });
    const found = data.find(({ siteIds, visibility }) => siteIds.length === 0 && visibility === 'public');
    if (found === undefined) return undefined;
    const overlays = await client.call('media', 'listLocales', { projectSlug, id: found.id });
    const texts = overlays.data.map(({ locale, altText }) => [locale, altText ?? ''] as const);
    return { id: found.id, texts: new Map(texts) };
  }

  async #upload(picture: string): Promise<KnownAsset> {
    const { client, projectSlug } = this.options;
    const { data } = await client.call('media', 'upload', { projectSlug, file: sourceOf(picture) });
    this.#uploaded += 1;
    return { id: data.id, texts: new Map() };
  }
}
