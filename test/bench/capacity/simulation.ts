/** Random numbers that a seed repeats. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** A binary heap: the least `at` first. */
class Agenda<T extends { readonly at: number }> {
  readonly #items: T[] = [];

  get first(): T | undefined {
    return this.#items[0];
  }

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((items[parent]?.at ?? 0) <= item.at) break;
      [items[place], items[parent]] = [items[parent]!, item];
      place = parent;
    }
  }

  take(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    items[0] = last;
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const child = (items[right]?.at ?? Infinity) < (items[left]?.at ?? Infinity) ? right : left;
      if ((items[child]?.at ?? Infinity) >= last.at) return first;
      [items[place], items[child]] = [items[child]!, last];
      place = child;
    }
  }
}

/** Time in milliseconds, and what is due. */
export class Clock {
  now = 0;
  readonly #agenda = new Agenda<Due>();
  readonly #groups: Cores[] = [];

  after(milliseconds: number, run: () => void): void {
    this.#agenda.add({ at: this.now + milliseconds, run });
  }

  add(group: Cores): void {
    this.#groups.push(group);
  }

  /** Runs what is due until the time, in order. */
  runUntil(end: number): void {
    for (;;) {
      let next: Due | undefined = this.#agenda.first;
      let isOfGroup = false;
      for (const group of this.#groups) {
        const due = group.next();
        if (due === undefined || due.at >= (next?.at ?? Infinity)) continue;
        next = due;
        isOfGroup = true;
      }
      if (next === undefined || next.at > end) break;
      if (!isOfGroup) this.#agenda.take();
      this.now = next.at;
      next.run();
    }
    this.now = end;
    for (const group of this.#groups) group.settle();
  }
}

interface Running {
  /** In the virtual time of the group. */
  readonly at: number;
  readonly done: () => void;
}

/** Processor cores that running threads share equally; a thread uses one at most. */
export class Cores {
  readonly #running = new Agenda<Running>();
  /** Work that each running thread has received since the start. */
  #virtual = 0;
  #settledAt = 0;
  /** Core milliseconds that were used. */
  used = 0;

  constructor(
    private readonly clock: Clock,
    readonly count: number,
  ) {
    clock.add(this);
  }

  run(work: number, done: () => void): void {
    this.settle();
    this.#running.add({ at: this.#virtual + work, done });
  }

  next(): Due | undefined {
    const { first } = this.#running;
    if (first === undefined) return undefined;
    const at = this.#settledAt + Math.max(0, first.at - this.#virtual) / this.#speed;
    return {
      at,
      run: () => {
        this.settle();
        this.#virtual = Math.max(this.#virtual, first.at);
        this.#running.take();
        first.done();
      },
    };
  }

  settle(): void {
    const passed = this.clock.now - this.#settledAt;
    this.#settledAt = this.clock.now;
    this.used += passed * Math.min(this.count, this.#running.size);
    this.#virtual += passed * this.#speed;
  }

  get #speed(): number {
    return this.#running.size <= this.count ? 1 : this.count / this.#running.size;
  }
}

/** Threads that take work in the order of its arrival: a process, or the connections of a pool. */
export class Station {
  readonly #waiting: { readonly work: number; readonly done: () => void }[] = [];
  #free: number;
  /** Work that is waiting or running. */
  #inside = 0;
  #changedAt = 0;
  /** Integral of what is inside over time. */
  #area = 0;
  completed = 0;

  constructor(
    private readonly clock: Clock,
    private readonly cores: Cores,
    threads: number,
  ) {
    this.#free = threads;
  }

  serve(work: number, done: () => void): void {
    this.#count(1);
    this.#waiting.push({ work, done });
    this.#start();
  }

  /** How much was inside on average since the start. */
  get meanInside(): number {
    this.#count(0);
    return this.clock.now === 0 ? 0 : this.#area / this.clock.now;
  }

  #start(): void {
    if (this.#free === 0) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#free -= 1;
    this.cores.run(next.work, () => {
      this.#free += 1;
      this.#count(-1);
      this.completed += 1;
      this.#start();
      next.done();
    });
  }

  #count(change: number): void {
    this.#area += this.#inside * (this.clock.now - this.#changedAt);
    this.#changedAt = this.clock.now;
    this.#inside += change;
  }
}

/** What a request costs, in milliseconds of one core. */
export interface RequestCost {
  /** On the one thread of the process that runs JavaScript. */
  readonly process: number;
  /** On other threads of the process: memory, compression. */
  readonly helpers: number;
  readonly database: number;
  /** Of the load generator. */
  readonly generator: number;
}

export interface ClosedLoad {
  readonly cost: RequestCost;
  readonly processes: number;
  /** Cores that everything shares. */
  readonly cores: number;
  /** Clients, each with one request at a time. */
  readonly connections: number;
  /** Database connections of a process. */
  readonly poolSize: number;
  readonly milliseconds: number;
  readonly seed: number;
}

export interface Simulated {
  readonly requestsPerSecond: number;
  readonly meanMs: number;
  /** Of all cores, from 0 to 1. */
  readonly utilization: number;
}

/** Clients on one machine with the service and its database: requests per second, without the first fifth. */
export function simulateClosed(load: ClosedLoad): Simulated {
  const { cost, processes, cores: count, connections, poolSize, milliseconds } = load;
  const random = seededRandom(load.seed);
  const sample = (mean: number): number => (mean === 0 ? 0 : -mean * Math.log(1 - random()));
  const clock = new Clock();
  const cores = new Cores(clock, count);
  const generator = new Station(clock, cores, 1);
  const own = Array.from({ length: processes }, () => ({
    main: new Station(clock, cores, 1),
    helpers: new Station(clock, cores, 4),
    pool: new Station(clock, cores, poolSize),
  }));
  const warm = milliseconds / 5;
  let [served, waited] = [0, 0];
  const start = (client: number): void => {
    const { main, helpers, pool } = own[client % processes]!;
    const sentAt = clock.now;
    const receive = (): void => {
      generator.serve(sample(cost.generator / 2), () => {
        if (clock.now >= warm) {
          served += 1;
          waited += clock.now - sentAt;
        }
        start(client);
      });
    };
    const respond = (): void => {
      if (cost.helpers > 0) helpers.serve(sample(cost.helpers), () => undefined);
      receive();
    };
    const half = cost.database > 0 ? cost.process / 2 : cost.process;
    generator.serve(sample(cost.generator / 2), () => {
      main.serve(sample(half), () => {
        if (cost.database === 0) respond();
        else
          pool.serve(sample(cost.database), () => {
            main.serve(sample(half), respond);
          });
      });
    });
  };
  for (let client = 0; client < connections; client += 1) start(client);
  clock.runUntil(milliseconds);
  return {
    requestsPerSecond: served / ((milliseconds - warm) / 1000),
    meanMs: waited / Math.max(1, served),
    utilization: cores.used / (milliseconds * count),
  };
}
