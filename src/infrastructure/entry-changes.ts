import type { LiveChannel } from './live-channel.js';
import { settled } from './promises.js';

/** A draft or publication that has changed. */
export interface ChangedEntry {
  readonly environmentId: string;
  readonly siteId: string;
  readonly entryId: string;
  /** Null: every locale. */
  readonly locale: string | null;
  readonly version: number;
}

/** What changed in an environment; null if that is too much to name. */
export type EntryChangeList = readonly Omit<ChangedEntry, 'environmentId'>[] | null;
type Watcher = (changes: EntryChangeList) => void;
type ChangeTuple = readonly [entryId: string, siteId: string, locale: string | null, version: number];

/** Commits within this time are sent as one. */
const GATHER_MS = 40;
/** PostgreSQL sends at most 8,000 bytes at once. */
const ROWS_OF_MESSAGE = 50;
const ROWS_NAMED = 1000;
const EVERYTHING = '*';

const topicOf = (environmentId: string): string => `changed:${environmentId}`;

/**
 * Entries that changed, as the processes tell each other after commits, for those who watch an environment. Writers do
 * not wait for it. Lost messages are not repeated.
 */
export class EntryChanges {
  readonly #waiting = new Map<string, Map<string, ChangeTuple>>();
  readonly #watched = new Map<string, { readonly watchers: Set<Watcher>; unlisten(): void }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly live: LiveChannel) {}

  readonly tell = (changes: readonly ChangedEntry[]): void => {
    for (const { environmentId, entryId, siteId, locale, version } of changes) {
      const rows = this.#waiting.get(environmentId) ?? new Map<string, ChangeTuple>();
      // Beyond the limit the number decides, not the rows.
      if (rows.size <= ROWS_NAMED) rows.set(`${entryId} ${locale ?? ''}`, [entryId, siteId, locale, version]);
      this.#waiting.set(environmentId, rows);
    }
    this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  };

  /** @returns what ends it */
  watch(environmentId: string, watcher: Watcher): () => void {
    const known = this.#watched.get(environmentId) ?? this.#listen(environmentId);
    known.watchers.add(watcher);
    return () => {
      known.watchers.delete(watcher);
      if (known.watchers.size > 0 || this.#watched.get(environmentId) !== known) return;
      known.unlisten();
      this.#watched.delete(environmentId);
    };
  }

  #listen(environmentId: string) {
    const watchers = new Set<Watcher>();
    const unlisten = this.live.listen(topicOf(environmentId), (text) => {
      const changes = text === EVERYTHING ? null : changesIn(text);
      for (const watcher of watchers) watcher(changes);
    });
    const made = { watchers, unlisten };
    this.#watched.set(environmentId, made);
    return made;
  }

  #send(): void {
    this.#timer = undefined;
    const messages = [...this.#waiting].flatMap(([environmentId, rows]) =>
      textsOf([...rows.values()]).map((text) => `${topicOf(environmentId)} ${text}`),
    );
    this.#waiting.clear();
    // One after the other, so that the last version of an entry arrives last.
    void settled(
      messages.reduce(
        (before, message) => before.then(() => this.live.send(message)),
        Promise.resolve<unknown>(undefined),
      ),
    );
  }
}

function textsOf(rows: readonly ChangeTuple[]): string[] {
  if (rows.length > ROWS_NAMED) return [EVERYTHING];
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_OF_MESSAGE)
    parts.push(JSON.stringify(rows.slice(at, at + ROWS_OF_MESSAGE)));
  return parts;
}

const changesIn = (text: string): EntryChangeList =>
  (JSON.parse(text) as ChangeTuple[]).map(([entryId, siteId, locale, version]) => ({
    entryId,
    siteId,
    locale,
    version,
  }));
