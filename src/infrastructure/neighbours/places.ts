export interface PlaceLimits {
  /** Calls at once. */
  readonly places: number;
  /** Requests that may wait for a place while they occupy a slot of the process, and for how long. */
  readonly line: number;
  readonly lineMs: number;
  /** The same for what occupies none: files and work in the background. */
  readonly longLine: number;
  readonly longLineMs: number;
}

interface Wanted {
  readonly isShort: boolean;
  /** Nothing waits in the short line for a neighbour that does not respond, nor while no call ends. */
  readonly isFailing: boolean;
  readonly signal: AbortSignal | undefined;
}

interface Waiting {
  readonly isShort: boolean;
  enter(): void;
}

/** Bounds calls at once. */
export class Places {
  #taken = 0;
  /** When a call last ended, or took the last place. */
  #movedAt = 0;
  readonly #line = new Set<Waiting>();

  constructor(private readonly limits: PlaceLimits) {}

  get taken(): number {
    return this.#taken;
  }

  get inLine(): number {
    return this.#line.size;
  }

  /** False if no place becomes free in time, or if the signal is aborted first. A caller that gets a place must call `leave`. */
  take(wanted: Wanted): boolean | Promise<boolean> {
    if (this.#taken < this.limits.places) {
      this.#taken += 1;
      if (this.#taken === this.limits.places) this.#movedAt = performance.now();
      return true;
    }
    const { line, lineMs, longLine, longLineMs } = this.limits;
    const { isShort, isFailing } = wanted;
    const ahead = [...this.#line].filter((one) => one.isShort === isShort).length;
    const isStuck = performance.now() - this.#movedAt > lineMs;
    if (ahead >= (isShort ? line : longLine) || (isShort && (isFailing || isStuck))) return false;
    return this.#wait(wanted, isShort ? lineMs : longLineMs);
  }

  /** The place passes to the first in line. */
  leave(): void {
    this.#movedAt = performance.now();
    const [next] = this.#line;
    if (next === undefined) this.#taken -= 1;
    else next.enter();
  }

  #wait({ isShort, signal }: Wanted, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasPlace: boolean): void => {
        this.#line.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(hasPlace);
      };
      const giveUp = (): void => {
        end(false);
      };
      const waiting: Waiting = {
        isShort,
        enter: () => {
          end(true);
        },
      };
      const timer = setTimeout(giveUp, ms);
      signal?.addEventListener('abort', giveUp);
      this.#line.add(waiting);
    });
  }
}
