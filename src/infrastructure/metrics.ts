import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One metric of the service: `/metrics`, the dashboard and the alert rules take it from here. */
export interface MetricText {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  /** What series are told apart by. */
  readonly label: string;
  /** Every process reads the same value, so that readings are not summed. */
  readonly isShared?: boolean;
}

const perPool = (part: string, help: string): MetricText => ({
  kind: 'gauge',
  name: `headwater_pool_${part}`,
  help,
  label: 'pool',
});

const perNeighbour = (part: string, help: string): MetricText => ({
  kind: 'counter',
  name: `headwater_neighbour_${part}_total`,
  help,
  label: 'neighbour',
});

export const metricList = {
  requests: {
    kind: 'counter',
    name: 'headwater_requests_total',
    help: 'Requests served, by surface, operation and status.',
    label: 'status',
  },
  durations: {
    kind: 'histogram',
    name: 'headwater_request_duration_seconds',
    help: 'How long requests took, by surface and operation.',
    label: 'surface',
  },
  cacheRequests: {
    kind: 'gauge',
    name: 'headwater_response_cache_requests',
    help: 'Requests since the start by outcome: hits, misses, joined, bypasses.',
    label: 'outcome',
  },
  cacheSize: {
    kind: 'gauge',
    name: 'headwater_response_cache_size',
    help: 'Cached responses, and their bytes.',
    label: 'unit',
  },
  poolOpen: perPool('open', 'Database connections: open, by pool.'),
  poolBusy: perPool('busy', 'Database connections: busy, by pool.'),
  poolWaiting: perPool('waiting', 'Queries waiting for a connection, by pool.'),
  publishedReads: {
    kind: 'counter',
    name: 'headwater_published_reads_total',
    help: 'Statements of published reads, by the kind of server that ran them.',
    label: 'server',
  },
  replicaLag: {
    kind: 'gauge',
    name: 'headwater_replica_lag_seconds',
    help: 'How long ago the primary had what a replica lacks, by replica that responds.',
    label: 'replica',
    isShared: true,
  },
  queueDepth: {
    kind: 'gauge',
    name: 'headwater_queue_depth',
    help: 'Pending work by queue, counted up to 10,000.',
    label: 'queue',
    isShared: true,
  },
  queueLag: {
    kind: 'gauge',
    name: 'headwater_queue_lag_seconds',
    help: 'How long the oldest work has been due, by queue.',
    label: 'queue',
    isShared: true,
  },
  searchLag: {
    kind: 'gauge',
    name: 'headwater_search_lag_seconds',
    help: 'How long the oldest change has waited to be indexed, by index.',
    label: 'index',
    isShared: true,
  },
  neighbourDegraded: {
    kind: 'gauge',
    name: 'headwater_neighbour_degraded',
    help: '1 while a neighbour does not respond.',
    label: 'neighbour',
    isShared: true,
  },
  neighbourWaiting: {
    kind: 'gauge',
    name: 'headwater_neighbour_waiting',
    help: 'Calls of a neighbour in progress or in line.',
    label: 'neighbour',
  },
  neighbourCalls: perNeighbour('calls', 'Calls of a neighbour.'),
  neighbourFailures: perNeighbour('failures', 'Calls of a neighbour that failed because it was unavailable.'),
  neighbourSeconds: perNeighbour('seconds', 'How long calls of a neighbour took in all.'),
  clockAhead: {
    kind: 'gauge',
    name: 'headwater_clock_ahead_seconds',
    help: "How far the clock is ahead of the database's.",
    label: 'clock',
    isShared: true,
  },
  processes: {
    kind: 'gauge',
    name: 'headwater_processes',
    help: 'Processes that serve.',
    label: 'state',
  },
} as const satisfies Readonly<Record<string, MetricText>>;

/** Of the library that reports Node's metrics. */
export const nodeMetrics = {
  eventLoopLag: 'nodejs_eventloop_lag_p99_seconds',
  startTime: 'process_start_time_seconds',
  memory: 'process_resident_memory_bytes',
  cpu: 'process_cpu_seconds_total',
} as const;

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
    name: metricList.requests.name,
    help: metricList.requests.help,
    labelNames: ['surface', 'operation', 'status'] as const,
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: metricList.durations.name,
    help: metricList.durations.help,
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
  counts(): Promise<readonly MetricCounts[]> {
    return this.#registry.getMetricsAsJSON() as unknown as Promise<readonly MetricCounts[]>;
  }
}

/** One metric with its series. */
export interface MetricCounts {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** A histogram has `_bucket`, `_sum` and `_count` by `metricName`, and its bounds as the label `le`. */
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly metricName?: string;
  }[];
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
