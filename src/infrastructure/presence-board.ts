import { accessTopic, type LiveChannel } from './live-channel.js';

/** The topic of {@link LiveChannel}. */
export const PRESENCE_TOPIC = 'presence';

/** Where a window of a user is. Processes send it to each other, and keep it in memory only. */
export interface PresencePosition {
  readonly environmentId: string;
  readonly entryId: string;
  readonly userId: string;
  readonly name: string;
  readonly client: string;
  readonly locale: string | null;
  readonly path: string | null;
  readonly isLeaving?: boolean | undefined;
}

export interface PresenceLimits {
  /** Until a place that is not repeated is dropped. */
  readonly seconds: number;
  /** Windows on one entry, and in all. */
  readonly onEntry: number;
  readonly inAll: number;
}

type Seen = PresencePosition & { readonly at: number; unlisten(): void };
/** Receives the entry whose other users changed. */
type Watcher = (place: Pick<PresencePosition, 'environmentId' | 'entryId'>) => void;

const SWEEP_MS = 1000;
const keyOf = ({ environmentId, entryId }: Pick<PresencePosition, 'environmentId' | 'entryId'>): string =>
  `${environmentId} ${entryId}`;

/**
 * Who is on which entry, as the processes tell each other. A process that has just started, or missed messages, knows
 * everyone again once they have repeated their place. The places of a user whose rights or sessions change are dropped
 * until they are repeated.
 */
export class PresenceBoard {
  readonly #entries = new Map<string, Map<string, Seen>>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly live: LiveChannel,
    private readonly limits: PresenceLimits,
  ) {
    live.listen(PRESENCE_TOPIC, (text) => {
      this.#receive(JSON.parse(text) as PresencePosition);
    });
  }

  /** One place for each other user, the one that was repeated last. */
  others(place: Pick<PresencePosition, 'environmentId' | 'entryId'>, userId: string): PresencePosition[] {
    const seen = [...(this.#entries.get(keyOf(place))?.values() ?? [])];
    const latest = new Map(seen.sort((a, b) => a.at - b.at).map((one) => [one.userId, one]));
    latest.delete(userId);
    return [...latest.values()];
  }

  /** Watches the entries that the user is on. @returns what ends it */
  watch(userId: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(userId) ?? new Set();
    this.#watchers.set(userId, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(userId);
    };
  }

  #receive(place: PresencePosition): void {
    const key = keyOf(place);
    const windows = this.#entries.get(key) ?? new Map<string, Seen>();
    const window = `${place.userId} ${place.client}`;
    const before = windows.get(window);
    if (place.isLeaving === true) {
      if (before !== undefined) this.#drop(key, windows, [window]);
      return;
    }
    const isFull = windows.size >= this.limits.onEntry || this.#count >= this.limits.inAll;
    if (before === undefined && isFull) return;
    if (before === undefined) this.#count += 1;
    // Until the user repeats it, and so proves that they may still read the entry.
    const leave = (): void => this.#drop(key, windows, [window]);
    const unlisten = before?.unlisten ?? this.live.listen(accessTopic(place.userId), leave);
    windows.set(window, { ...place, at: performance.now(), unlisten });
    this.#entries.set(key, windows);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    if (before?.locale !== place.locale || before.path !== place.path)
      this.#tell(place, windows, place.userId);
  }

  #drop(key: string, windows: Map<string, Seen>, gone: readonly string[]): void {
    const [place] = windows.values();
    for (const window of gone) {
      windows.get(window)?.unlisten();
      if (windows.delete(window)) this.#count -= 1;
    }
    if (windows.size === 0) this.#entries.delete(key);
    if (place !== undefined) this.#tell(place, windows);
  }

  #sweep(): void {
    const oldest = performance.now() - this.limits.seconds * 1000;
    for (const [key, windows] of this.#entries) {
      const gone = [...windows].filter(([, { at }]) => at < oldest).map(([window]) => window);
      if (gone.length > 0) this.#drop(key, windows, gone);
    }
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @param mover needs not hear of it, unless it has just come */
  #tell(place: PresencePosition, windows: ReadonlyMap<string, Seen>, mover?: string): void {
    for (const userId of new Set([...windows.values()].map((one) => one.userId)))
      if (userId !== mover) for (const watcher of this.#watchers.get(userId) ?? []) watcher(place);
  }
}
