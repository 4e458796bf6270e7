import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One answered request. Every label has few values, whatever callers send. */
export interface RequestFacts {
  readonly surface: string;
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Values of a gauge with one label, by the label's value. */
export type Readings = Readonly<Record<string, number>>;

const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the process counts of itself, in Prometheus' form. Each composed process has one of its own. */
export class Metrics {
  readonly #registry = new Registry();
  #renderAll: (() => Promise<RenderedMetrics | undefined>) | undefined;
  readonly #requests = new Counter({
    name: 'headwater_requests_total',
    help: 'Requests served, by surface, operation and status.',
    labelNames: ['surface', 'operation', 'status'] as const,
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'headwater_request_duration_seconds',
    help: 'How long requests took, by surface and operation.',
    labelNames: ['surface', 'operation'] as const,
    buckets: DURATIONS,
    registers: [this.#registry],
  });

  answered({ surface, operation, status, seconds }: RequestFacts): void {
    this.#requests.inc({ surface, operation, status });
    this.#durations.observe({ surface, operation }, seconds);
  }

  /** A counter with one label, such as the hits and misses of a cache; answers what counts. */
  counter(text: { name: string; help: string; label: string }): (value: string, by?: number) => void {
    const { name, help, label } = text;
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.#registry] });
    return (value, by = 1) => {
      counter.inc({ [label]: value }, by);
    };
  }

  /**
   * A gauge with one label, read whenever somebody looks. Where reading fails it shows nothing.
   * @param text `isShared` where every process reads the same thing, so that readings are not added up
   */
  gauge(
    text: { name: string; help: string; label: string; isShared?: boolean },
    read: () => Readings | Promise<Readings>,
  ): void {
    const { name, help, label } = text;
    const gauge = new Gauge({
      name,
      help,
      aggregator: text.isShared === true ? 'max' : 'sum',
      labelNames: [label],
      registers: [this.#registry],
      collect: async () => {
        gauge.reset();
        try {
          for (const [value, reading] of Object.entries(await read())) gauge.set({ [label]: value }, reading);
        } catch {
          // What cannot be read is left out: the rest is worth looking at most when something is wrong.
        }
      },
    });
  }

  /** Adds what Node tells of the process: memory, CPU, event loop, garbage collection. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** What all processes of a fleet have counted is rendered from now on, where they can be asked. */
  renderWith(render: () => Promise<RenderedMetrics | undefined>): void {
    this.#renderAll = render;
  }

  async render(): Promise<RenderedMetrics> {
    const ofAll = await this.#renderAll?.();
    return ofAll ?? { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  /** What was counted so far, in a form that {@link renderTogether} takes. */
  counts(): Promise<object> {
    return this.#registry.getMetricsAsJSON();
  }
}

/** Metrics, as they are sent. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Renders what several processes have counted, together. */
export async function renderTogether(counts: readonly unknown[]): Promise<RenderedMetrics> {
  const registry = AggregatorRegistry.aggregate(counts as object[]);
  return { contentType: registry.contentType, text: await registry.metrics() };
}
