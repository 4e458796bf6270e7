import type { EntrySnapshot } from '../../../contracts/entries/entries/entry-version.js';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { isAppError } from '../client/rest-operations.js';
import { isFatal } from '../import/exports/reduce-item.js';
import { reasonOf, sendReduced, type BatchItemInput } from '../import/send-items.js';
import type { Progress } from '../progress.js';
import { keyOf, type EntryLine } from './export-format.js';
import type { EntryRestore } from './restore-entries.js';
import { withOwnIds, type Restore } from './restore-settings.js';
import { batches, readEntries } from './restore-states.js';

/** Of versions in a request: their characters, and the entries. */
const REQUEST = { characters: 400_000, items: 50 };

type HistoryItem = Extract<BatchItemInput, { action: 'history' }>;

/** An entry whose versions are missing, by what the export says of it. */
interface Wanted extends Pick<HistoryItem, 'latest' | 'published'> {
  readonly id: string;
  /** Versions in the project. */
  readonly present: number;
  readonly where: string;
}

interface HistoryJob {
  readonly item: HistoryItem;
  readonly entryId: string;
  readonly where: string;
}

const publishedOf = ({ locales }: EntryLine): Record<string, number> =>
  Object.fromEntries(
    Object.entries(locales).flatMap(([locale, { publishedVersion }]) =>
      typeof publishedVersion === 'number' ? [[locale, publishedVersion]] : [],
    ),
  );

/** Imports the versions of entries, which replace those that the import wrote. */
export class HistoryRestore {
  /** By id in the export. */
  readonly #wanted = new Map<string, Wanted>();
  /** Entries that have their versions. */
  readonly #complete = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(
    private readonly restore: Restore,
    private readonly entries: EntryRestore,
  ) {}

  /** Counts what would be imported. */
  async preview(): Promise<void> {
    if (!this.restore.reader.manifest.hasHistory) return;
    await this.#find();
    for await (const { value } of this.restore.reader.lines('history.jsonl')) {
      // Entries that would be made are not found. Those that were changed since have newer versions.
      const { present = 0, latest = 0 } = this.#wanted.get(value.entryId) ?? {};
      const isThere = this.#complete.has(value.entryId) || present > latest;
      this.restore.report.count('version', isThere ? 'same' : 'made');
    }
  }

  async write(progress: Progress): Promise<void> {
    const { manifest } = this.restore.reader;
    if (!manifest.hasHistory) return;
    if (!this.entries.keepsFacts) {
      this.#loseAll('The caller lacks the permission entries.import.');
      return;
    }
    await this.#find();
    progress.start(manifest.files.find(({ file }) => file === 'history.jsonl')?.lines ?? 0);
    try {
      for await (const jobs of this.#requests(progress))
        await sendReduced(this.restore, jobs, {
          done: ({ item }, { version }) => {
            const isMade = version === item.latest;
            this.restore.report.count('version', isMade ? 'made' : 'same', item.versions.length);
          },
          reduce: this.#reduce,
        });
    } finally {
      progress.stop();
    }
  }

  #loseAll(reason: string): void {
    this.restore.report.losses.add('version', 'entries', [
      'versions, the times of changes and who made them',
      reason,
      'Import with the session of an owner or admin, into a new project.',
    ]);
  }

  /** Finds entries whose versions are missing: complete ones have the author of the source. */
  async #find(): Promise<void> {
    const { reader, ids } = this.restore;
    let isOld = false;
    for await (const batch of batches(reader.lines('entries.jsonl'))) {
      const present = await readEntries(this.restore, batch, undefined);
      for (const line of batch) {
        const { id, type, version: latest } = line;
        const entry = present.get(id);
        if (entry === undefined || !ids.has(id)) continue;
        isOld ||= latest === undefined;
        const isComplete = entry.version === latest && entry.updatedBy.id === null;
        if (isComplete) this.#complete.add(id);
        if (isComplete || latest === undefined) continue;
        const where = `entry ${type}/${keyOf(line)}`;
        this.#wanted.set(id, {
          id: entry.id,
          present: entry.version,
          where,
          latest,
          published: publishedOf(line),
        });
      }
    }
    if (isOld)
      this.#loseAll(
        'The export was made by an older command, and does not say which versions are published.',
      );
  }

  /** Items of one request, those of an entry in the order of its versions. */
  async *#requests(progress: Progress): AsyncGenerator<HistoryJob[]> {
    let jobs: HistoryJob[] = [];
    let characters = 0;
    for await (const { value, text } of this.restore.reader.lines('history.jsonl')) {
      progress.advance();
      const { entryId, content } = value;
      if (this.#complete.has(entryId)) this.restore.report.count('version', 'same');
      const wanted = this.#wanted.get(entryId);
      if (wanted === undefined || this.#refused.has(entryId)) continue;
      const last = jobs.at(-1);
      const isOfLast = last?.entryId === entryId && last.item.versions.length < limits.batchItems;
      const isFull =
        characters + text.length > REQUEST.characters || (jobs.length === REQUEST.items && !isOfLast);
      if (isFull && jobs.length > 0) {
        yield jobs;
        [jobs, characters] = [[], 0];
      }
      characters += text.length;
      const version = withOwnIds<EntrySnapshot>(this.restore, content);
      const open = jobs.at(-1);
      if (isOfLast && open !== undefined) open.item.versions.push(version);
      else {
        const { id, where, latest, published } = wanted;
        const item = {
          action: 'history' as const,
          id,
          latest,
          published: { ...published },
          versions: [version],
        };
        jobs.push({ entryId, where, item });
      }
    }
    if (jobs.length > 0) yield jobs;
  }

  /** A request that is too large is sent in parts. What is refused otherwise is a loss. */
  readonly #reduce = (job: HistoryJob, error: Error): HistoryJob[] => {
    if (!(error instanceof AppError) || isFatal(error)) throw error;
    const { entryId, where, item } = job;
    const { versions } = item;
    const isTooLarge = isAppError(error, 'payload_too_large');
    if (isTooLarge && versions.length > 1) {
      const half = Math.ceil(versions.length / 2);
      return [versions.slice(0, half), versions.slice(half)].map((some) => ({
        ...job,
        item: { ...item, versions: some },
      }));
    }
    if (!isTooLarge) this.#refused.add(entryId);
    const [first, last] = [versions.at(0)?.versionNum, versions.at(-1)?.versionNum];
    const what = first === last ? `version ${String(first)}` : `versions ${String(first)} to ${String(last)}`;
    this.restore.report.losses.add('version', where, [
      what,
      reasonOf(error),
      'Keep the export. It has them.',
    ]);
    return [];
  };
}
