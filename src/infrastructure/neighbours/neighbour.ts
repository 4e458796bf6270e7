import { withTimeLimit } from '../time-limit.js';
import { tracedBy, waitingClient, type Tracer } from '../work-context.js';
import { settled } from '../promises.js';

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
class Places {
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

/** `busy`: too many calls wait; `stalled`: no progress in time. */
export class NeighbourFailure extends Error {
  override readonly name = 'NeighbourFailure';

  constructor(
    readonly reason: 'busy' | 'stalled',
    neighbour: string,
  ) {
    super(`${neighbour}: ${reason}`);
  }
}

/** One call of a neighbour. */
export interface NeighbourCall {
  /** Aborted when the call makes no progress, or when the client that waits for it leaves. */
  readonly signal: AbortSignal;
  /** Restarts the limit. @param allowedMs added to it once */
  progressed(allowedMs?: number): void;
}

export interface NeighbourOptions {
  readonly name: string;
  readonly tracer?: Tracer | undefined;
  /** How long a call may make no progress. */
  readonly stallMs: number;
  readonly places: PlaceLimits;
  /** Whether a failed call means that the neighbour is unavailable. */
  isOutage(error: unknown): boolean;
  /** Resolves if the neighbour responds; unset: only calls show it. */
  readonly probe?: ((call: NeighbourCall) => Promise<unknown>) | undefined;
  onOutage(error: unknown): void;
  onRecovery(): void;
}

interface NeighbourCounts {
  readonly calls: number;
  readonly failures: number;
  readonly seconds: number;
}

/** Without a probe, an outage counts for this long after the last failed call. */
const REMEMBERED_MS = 60_000;
/** Probes expect an answer soon; the next one sees what this one started. */
const PROBE_WAIT_MS = 500;
/** Bytes in the buffers of a connection, and the slowest rate at which they may leave it. */
const BUFFERED_BYTES = 4 * 1024 * 1024;
const BYTES_PER_SECOND = 32 * 1024;

/** How long bytes that were handed to a connection may take to leave it. */
export const transferMs = (bytes: number): number =>
  (Math.min(bytes, BUFFERED_BYTES) / BYTES_PER_SECOND) * 1000;

/** A system that requests wait for. Bounds how many wait and for how long, and knows whether it responds. */
export class Neighbour {
  readonly #places: Places;
  readonly #counts = { calls: 0, failures: 0, seconds: 0 };
  #failedAt: number | undefined;
  #probing: Promise<void> | undefined;

  constructor(private readonly options: NeighbourOptions) {
    this.#places = new Places(options.places);
  }

  get stallMs(): number {
    return this.options.stallMs;
  }

  get counts(): NeighbourCounts {
    return this.#counts;
  }

  /** Calls in progress and in line. */
  get waiting(): number {
    return this.#places.taken + this.#places.inLine;
  }

  get isDegraded(): boolean {
    return this.#failedAt !== undefined;
  }

  /**
   * Ends at once when the client leaves, whatever `work` does.
   * @throws NeighbourFailure, ClientLeft, or what `work` throws
   */
  call<T>(work: (call: NeighbourCall) => Promise<T>): Promise<T> {
    return tracedBy(this.options, { name: this.options.name, kind: 'client' }, () => this.#call(work));
  }

  async #call<T>(work: (call: NeighbourCall) => Promise<T>): Promise<T> {
    const client = waitingClient();
    client?.signal.throwIfAborted();
    const isShort = client?.takesSlot === true;
    const place = this.#places.take({ isShort, isFailing: this.isDegraded, signal: client?.signal });
    // No turn of the event loop is spent while places are free.
    const isTaken = place === true || (place !== false && (await place));
    if (!isTaken) {
      client?.signal.throwIfAborted();
      throw new NeighbourFailure('busy', this.options.name);
    }
    try {
      client?.signal.throwIfAborted();
      return await this.#run(work, client?.signal);
    } finally {
      this.#places.leave();
    }
  }

  /** Asks a degraded neighbour whether it responds again. Never rejects. */
  async check(): Promise<'ok' | 'degraded'> {
    const { probe } = this.options;
    if (this.#failedAt === undefined) return 'ok';
    if (probe !== undefined) {
      this.#probing ??= settled(this.#run(probe, undefined)).finally(() => {
        this.#probing = undefined;
      });
      await settled(withTimeLimit(PROBE_WAIT_MS, this.#probing));
    } else if (performance.now() - this.#failedAt > REMEMBERED_MS) this.#recover();
    return this.#failedAt === undefined ? 'ok' : 'degraded';
  }

  async #run<T>(work: (call: NeighbourCall) => Promise<T>, left: AbortSignal | undefined): Promise<T> {
    const { name, stallMs } = this.options;
    const controller = new AbortController();
    const stall = new StallTimer(stallMs, () => {
      controller.abort(new NeighbourFailure('stalled', name));
    });
    const leave = (): void => {
      controller.abort(left?.reason);
    };
    left?.addEventListener('abort', leave);
    const { signal } = controller;
    const started = performance.now();
    this.#counts.calls += 1;
    try {
      const call = { signal, progressed: (allowedMs?: number) => stall.restart(allowedMs) };
      const result = await untilAborted(work(call), signal);
      this.#recover();
      return result;
    } catch (error) {
      const cause: unknown = signal.aborted ? signal.reason : error;
      if (left?.aborted !== true) this.#note(cause);
      throw cause;
    } finally {
      stall.stop();
      left?.removeEventListener('abort', leave);
      this.#counts.seconds += (performance.now() - started) / 1000;
    }
  }

  #note(error: unknown): void {
    const { isOutage, onOutage } = this.options;
    const isStalled = error instanceof NeighbourFailure;
    if (!isStalled && !isOutage(error)) {
      this.#recover();
      return;
    }
    this.#counts.failures += 1;
    const isFirst = this.#failedAt === undefined;
    this.#failedAt = performance.now();
    if (isFirst) onOutage(error);
  }

  #recover(): void {
    if (this.#failedAt === undefined) return;
    this.#failedAt = undefined;
    this.options.onRecovery();
  }
}

/** Rejects when the signal is aborted; a later failure of the work is ignored. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}

class StallTimer {
  #timer: NodeJS.Timeout;

  constructor(
    private readonly ms: number,
    private readonly onStall: () => void,
  ) {
    this.#timer = setTimeout(onStall, ms);
  }

  restart(allowedMs = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.onStall, this.ms + allowedMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
