import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordTurns, type TurnRow } from './record.js';

/** The 99th percentile of what turns of an event loop add to requests that arrive evenly, in ms. */
export interface TurnDelay {
  /** As measured, with the wait for a processor. */
  readonly wallMs: number;
  /** If a processor had always been free: what the program itself causes. */
  readonly cpuMs: number;
}

/** Time of `span` within which a request would still wait for more than `bound`. */
const timeAbove = (lengths: readonly number[], bound: number): number =>
  lengths.reduce((sum, length) => sum + Math.max(0, length - bound), 0);

/** A request that arrives during a turn waits for the rest of the turn. */
function delayOf(lengths: readonly number[], spanMs: number, share: number): number {
  let [low, high] = [0, Math.max(0, ...lengths)];
  while (high - low > 0.05) {
    const middle = (low + high) / 2;
    if (timeAbove(lengths, middle) > spanMs * (1 - share)) low = middle;
    else high = middle;
  }
  return high;
}

/** Turns of the service and of this process, which sends the load. */
export class Turns {
  readonly #own: TurnRow[] = [];
  readonly #stop = recordTurns((row) => this.#own.push(row));

  private constructor(private readonly directory: string) {}

  static async start(): Promise<Turns> {
    return new Turns(await mkdtemp(path.join(tmpdir(), 'headwater-bench-turns-')));
  }

  get #file(): string {
    return path.join(this.directory, 'service');
  }

  /** Environment variables with which the service records its turns. */
  get settings(): Readonly<Record<string, string>> {
    const recorder = pathToFileURL(path.join(import.meta.dirname, 'record.ts')).href;
    return { NODE_OPTIONS: `--import ${recorder}`, BENCH_TURNS_FILE: this.#file };
  }

  /** Of the time since `startedAt` in ms since 1970. */
  async since(startedAt: number): Promise<{ readonly service: TurnDelay; readonly load: TurnDelay }> {
    const text = await readFile(this.#file, 'utf8');
    const rows = text.split('\n').slice(0, -1);
    const service = rows.map((line) => JSON.parse(line) as TurnRow);
    return { service: this.#delay(service, startedAt), load: this.#delay(this.#own, startedAt) };
  }

  async stop(): Promise<void> {
    this.#stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  #delay(rows: readonly TurnRow[], startedAt: number): TurnDelay {
    const spanMs = performance.timeOrigin + performance.now() - startedAt;
    const turns = rows.filter(([endedAt]) => endedAt >= startedAt);
    return {
      wallMs: delayOf(
        turns.map(([, wall]) => wall),
        spanMs,
        0.99,
      ),
      cpuMs: delayOf(
        turns.map(([, , cpu]) => cpu),
        spanMs,
        0.99,
      ),
    };
  }
}
