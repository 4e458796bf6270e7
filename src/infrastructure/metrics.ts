import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Labels of a request have few values, whatever callers send. */
export interface RequestFacts {
  readonly surface: string;
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Values of a gauge by its label. */
export type Readings = Readonly<Record<string, number>>;

const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts of one process in Prometheus' format. */
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

  /** @returns adds to the count of a label value */
  counter(text: { name: string; help: string; label: string }): (value: string, by?: number) => void {
    const { name, help, label } = text;
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.#registry] });
    return (value, by = 1) => {
      counter.inc({ [label]: value }, by);
    };
  }

  /**
   * A gauge with one label, read at each scrape; a failing reading is left out.
   * @param text `isShared` when every process reads the same value, so that readings are not summed
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
          // The other metrics matter most when something fails.
        }
      },
    });
  }

  /** A counter with one label, whose totals are kept elsewhere and read at each scrape. */
  total(text: { name: string; help: string; label: string }, read: () => Readings): void {
    const { name, help, label } = text;
    const counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect: () => {
        counter.reset();
        for (const [value, reading] of Object.entries(read())) counter.inc({ [label]: value }, reading);
      },
    });
  }

  /** Adds Node's metrics: memory, CPU, event loop, garbage collection. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Renders the metrics of all processes of a fleet from now on. */
  renderWith(render: () => Promise<RenderedMetrics | undefined>): void {
    this.#renderAll = render;
  }

  async render(): Promise<RenderedMetrics> {
    const ofAll = await this.#renderAll?.();
    return ofAll ?? { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  /** In the form that {@link renderTogether} takes. */
  counts(): Promise<object> {
    return this.#registry.getMetricsAsJSON();
  }
}

export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Renders the sum of several processes. */
export async function renderTogether(counts: readonly unknown[]): Promise<RenderedMetrics> {
  const registry = AggregatorRegistry.aggregate(counts as object[]);
  return { contentType: registry.contentType, text: await registry.metrics() };
}
