import { memoryMb, type Measured } from '../processes.js';

/** The service at one moment. */
export interface Sample {
  /** Since the start of the load. */
  readonly seconds: number;
  readonly residentMb: number;
  readonly heapMb: number;
  /** 99th percentile since the previous sample. */
  readonly loopDelayMs: number;
  readonly databaseConnections: number;
  /** Of clients and to the database. */
  readonly sockets: number;
  readonly requestsPerSecond: number;
}

const METRIC_LINE = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

/** Sum of a metric over those of its lines whose labels include `label`. */
function sumOf(metrics: string, wanted: string, label = ''): number {
  let sum = 0;
  for (const line of metrics.split('\n')) {
    const { name, labels = '', value } = METRIC_LINE.exec(line)?.groups ?? {};
    if (name === wanted && labels.includes(label)) sum += Number(value);
  }
  return sum;
}

const MEGABYTE = 1024 * 1024;

/** Samples a service through its metrics and the system. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #startedAt = performance.now();
  #lastAt = this.#startedAt;
  #lastCount = 0;

  constructor(
    private readonly service: Measured,
    private readonly token: string,
  ) {}

  /** @param count requests sent since the start */
  async take(count: number): Promise<void> {
    const { url, pid } = this.service;
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${this.token}` } });
    const metrics = await response.text();
    if (!response.ok) throw new Error(`/metrics: ${String(response.status)} ${metrics}`);
    const now = performance.now();
    this.samples.push({
      seconds: (now - this.#startedAt) / 1000,
      residentMb: await memoryMb(pid),
      heapMb: sumOf(metrics, 'nodejs_heap_size_used_bytes') / MEGABYTE,
      loopDelayMs: sumOf(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000,
      databaseConnections: sumOf(metrics, 'headwater_pool_open'),
      sockets: sumOf(metrics, 'nodejs_active_resources', 'type="TCPSocketWrap"'),
      requestsPerSecond: ((count - this.#lastCount) * 1000) / (now - this.#lastAt),
    });
    this.#lastAt = now;
    this.#lastCount = count;
  }
}

const PARTS = 6;
/** Allowed deviation from the first part that counts. */
const TOLERANCE = 0.1;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export interface Flatness {
  /** Median memory of each sixth of the run in MB. */
  readonly residentMb: readonly number[];
  readonly heapMb: readonly number[];
  /** Largest deviation of resident memory from the second sixth; the first is for warming up. */
  readonly deviation: number;
  readonly isFlat: boolean;
}

export function flatnessOf(samples: readonly Sample[]): Flatness {
  const partOf = (index: number) =>
    samples.slice(
      Math.floor((index * samples.length) / PARTS),
      Math.floor(((index + 1) * samples.length) / PARTS),
    );
  const parts = Array.from({ length: PARTS }, (_, index) => partOf(index));
  const residentMb = parts.map((part) => median(part.map((sample) => sample.residentMb)));
  const heapMb = parts.map((part) => median(part.map((sample) => sample.heapMb)));
  const [, base = 0, ...later] = residentMb;
  const deviation = Math.max(...later.map((value) => Math.abs(value - base) / base));
  return { residentMb, heapMb, deviation, isFlat: deviation <= TOLERANCE };
}
