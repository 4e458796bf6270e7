import type { Logger } from '../logger.js';
import { metricList, type Metrics } from '../metrics.js';
import type { Tracer } from '../work-context.js';
import { Neighbour, type NeighbourOptions, type PlaceLimits } from './neighbour.js';

export interface NeighboursOptions {
  /** Unset: outages are not logged. */
  readonly logger?: Pick<Logger, 'info' | 'warn'> | undefined;
  /** Concurrent requests of the process; unset: no limit. */
  readonly requestsAtOnce?: number | undefined;
  /** How long a call may make no progress; unset: 10,000. */
  readonly neighbourMs?: number | undefined;
  /** Unset: nothing is traced. */
  readonly tracer?: Tracer | undefined;
}

export interface NewNeighbour extends Partial<
  Pick<NeighbourOptions, 'isOutage' | 'probe' | 'stallMs' | 'places'>
> {
  readonly name: string;
}

/** Rule limits/neighbours. */
const STALL_MS = 10_000;
const PLACES = 32;
const LINE_MS = 500;
const LONG_LINE = 200;

/** All neighbours of a process: they share a place in the log, in the metrics and in readiness. */
export class Neighbours {
  readonly #all = new Map<string, Neighbour>();
  readonly #degraded = new Map<string, () => boolean>();
  readonly stallMs: number;

  constructor(private readonly options: NeighboursOptions) {
    this.stallMs = options.neighbourMs ?? STALL_MS;
  }

  /**
   * Requests that wait take at most half of the slots of the process, so that the rest goes on.
   * @param most calls at once, and how long requests wait for a place
   */
  places({ most = PLACES, lineMs = LINE_MS }: { most?: number; lineMs?: number } = {}): PlaceLimits {
    const { requestsAtOnce = Infinity } = this.options;
    const bound = Math.max(1, Math.min(PLACES, Math.floor(requestsAtOnce / 3)));
    const places = Math.min(most, bound);
    const line = Math.max(1, places < bound ? bound - places : Math.floor(bound / 2));
    return { places, line, lineMs, longLine: LONG_LINE, longLineMs: Math.max(lineMs, this.stallMs) };
  }

  open({ name, ...given }: NewNeighbour): Neighbour {
    const { logger, tracer } = this.options;
    const neighbour = new Neighbour({
      name,
      tracer,
      stallMs: this.stallMs,
      places: this.places(),
      isOutage: () => true,
      ...given,
      onOutage: (error) => {
        logger?.warn({ neighbour: name, err: error }, 'neighbour unavailable');
      },
      onRecovery: () => {
        logger?.info({ neighbour: name }, 'neighbour available again');
      },
    });
    this.#all.set(name, neighbour);
    return neighbour;
  }

  /** A neighbour that is watched elsewhere. */
  watch(name: string, isDegraded: () => boolean): void {
    this.#degraded.set(name, isDegraded);
  }

  /** Names of the neighbours that do not respond; asks them whether they respond again. */
  async degraded(): Promise<string[]> {
    const states = await Promise.all(
      [...this.#all].map(async ([name, one]) => ((await one.check()) === 'ok' ? [] : [name])),
    );
    const watched = [...this.#degraded].flatMap(([name, isDegraded]) => (isDegraded() ? [name] : []));
    return [...states.flat(), ...watched];
  }

  register(metrics: Metrics): void {
    const of = (read: (one: Neighbour) => number): Record<string, number> =>
      Object.fromEntries([...this.#all].map(([name, one]) => [name, read(one)]));
    metrics.gauge(metricList.neighbourWaiting, () => of((one) => one.waiting));
    metrics.gauge(metricList.neighbourDegraded, () => ({
      ...of((one) => Number(one.isDegraded)),
      ...Object.fromEntries([...this.#degraded].map(([name, isDegraded]) => [name, Number(isDegraded())])),
    }));
    metrics.total(metricList.neighbourCalls, () => of((one) => one.counts.calls));
    metrics.total(metricList.neighbourFailures, () => of((one) => one.counts.failures));
    metrics.total(metricList.neighbourSeconds, () => of((one) => one.counts.seconds));
  }
}

/** A neighbour of a command, which has no metrics and no other requests. */
export const soleNeighbour = (name: string): Neighbour => new Neighbours({}).open({ name });
