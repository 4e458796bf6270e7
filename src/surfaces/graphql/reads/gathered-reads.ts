import process from 'node:process';

interface Batch<Key, Value> {
  readonly keys: Map<string, Key>;
  readonly found: Promise<ReadonlyMap<string, Value>>;
}

/** After all that this turn of the event loop has begun. */
const afterThisTick = (): Promise<void> =>
  new Promise((resolve) => {
    queueMicrotask(() => {
      process.nextTick(resolve);
    });
  });

/**
 * Reads each key once: all that are asked for in one tick together. A failure is that of every key of its batch,
 * also for those who ask again.
 */
export class GatheredReads<Key, Value> {
  readonly #batches = new Map<string, Batch<Key, Value>>();
  #open: Batch<Key, Value> | undefined;

  /** @param keyOf tells keys apart; by default they are text */
  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>,
    private readonly keyOf: (key: Key) => string = String,
  ) {}

  /** Values in the order of the keys; undefined for what does not exist. */
  async load(keys: readonly Key[]): Promise<(Value | undefined)[]> {
    const batches = new Set<Batch<Key, Value>>();
    const names = keys.map((key) => {
      const name = this.keyOf(key);
      batches.add(this.#batchOf(key, name));
      return name;
    });
    const found = await Promise.all([...batches].map((batch) => batch.found));
    const [first] = found;
    if (found.length === 1) return names.map((name) => first?.get(name));
    return names.map((name) => found.find((values) => values.has(name))?.get(name));
  }

  #batchOf(key: Key, name: string): Batch<Key, Value> {
    const known = this.#batches.get(name);
    if (known !== undefined) return known;
    const batch = (this.#open ??= this.#start());
    batch.keys.set(name, key);
    this.#batches.set(name, batch);
    return batch;
  }

  #start(): Batch<Key, Value> {
    const keys = new Map<string, Key>();
    const found = afterThisTick().then(() => {
      this.#open = undefined;
      return this.read([...keys.values()]);
    });
    return { keys, found };
  }
}

interface EachRead<Item, Key, Value> {
  loaderOf(item: Item): GatheredReads<Key, Value>;
  keysOf(item: Item, index: number): readonly Key[];
}

/** Values of the keys of each item, in their order; the items of one loader are read together. */
export async function loadEach<Item, Key, Value>(
  items: readonly Item[],
  { loaderOf, keysOf }: EachRead<Item, Key, Value>,
): Promise<(Value | undefined)[][]> {
  const keys = items.map(keysOf);
  const [first] = items;
  const only = first && loaderOf(first);
  if (only === undefined || items.some((item) => loaderOf(item) !== only))
    return Promise.all(items.map((item, index) => loaderOf(item).load(keys[index] ?? [])));
  const values = await only.load(keys.flat());
  let start = 0;
  return keys.map(({ length }) => values.slice(start, (start += length)));
}
