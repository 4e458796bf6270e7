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
