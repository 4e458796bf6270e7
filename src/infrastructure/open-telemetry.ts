import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { ExportResultCode, millisToHrTime, parseTraceParent, type ExportResult } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { metricOf } from './metric-data.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { PeriodicTask } from './job-runner.js';
import { settled } from './promises.js';
import { withTimeLimit } from './time-limit.js';
import type { OpenSpan, SpanAttributes, SpanStart, Tracer, TraceParent } from './work-context.js';

export interface TelemetrySettings {
  /** Unset: no traces are exported. */
  readonly tracesUrl: string | undefined;
  /** Unset: no metrics are exported. */
  readonly metricsUrl: string | undefined;
  /** Between two exports of metrics. */
  readonly metricsMs: number;
  /** Sent with each export; they may hold credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of the process, beside its name and version. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Share of the traces that are recorded, from 0 to 1. */
  readonly share: number;
  /** How long an ended span may wait for others; unset: 2,000. */
  readonly delayMs?: number;
}

interface TelemetryParts {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly version: string;
  newId(): string;
}

/** Limits of what a collector that does not respond can hold. */
const EXPORT_MS = 5000;
const CLOSE_MS = 2000;
const QUEUED_SPANS = 4096;
const EXPORTED_SPANS = 512;
/** The stop sends the whole queue, beside an export that may be in progress. */
const EXPORTS_AT_ONCE = QUEUED_SPANS / EXPORTED_SPANS + 2;
const EXPORT_DELAY_MS = 2000;

/** Logs when the collector stops to take exports, and when it takes them again. */
class CollectorLog {
  #isOut = false;

  constructor(private readonly logger: TelemetryParts['logger']) {}

  note({ code, error }: ExportResult): void {
    const isOut = code !== ExportResultCode.SUCCESS;
    if (isOut === this.#isOut) return;
    this.#isOut = isOut;
    if (isOut) this.logger.warn({ err: error }, 'telemetry collector unavailable');
    else this.logger.info('telemetry collector available again');
  }
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** The exporter, whose failures are logged. */
function watchExports<Items, T extends Exporter<Items>>(exporter: T & Exporter<Items>, log: CollectorLog): T {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    send(items, (result) => {
      log.note(result);
      done(result);
    });
  };
  return exporter;
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
} as const;

type Provided = ReturnType<TracerProvider['getTracer']>;

class RecordedSpan implements OpenSpan {
  readonly ids: OpenSpan['ids'];
  readonly #context: Context;
  #isOpen = true;

  constructor(
    private readonly tracer: Provided,
    private readonly span: ReturnType<Provided['startSpan']>,
  ) {
    const { traceId, spanId } = span.spanContext();
    this.ids = { traceId, spanId };
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get traceParent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  child(start: SpanStart): OpenSpan {
    return openSpan(this.tracer, start, this.#context);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  note(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#isOpen = false;
    this.span.end();
  }
}

const openSpan = (tracer: Provided, { name, kind, attributes }: SpanStart, context: Context): OpenSpan =>
  new RecordedSpan(
    tracer,
    tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, context),
  );

/** The caller's `tracestate` is not taken: it is text of strangers. */
function contextOf(parent: TraceParent): Context {
  const found = parent === undefined ? null : parseTraceParent(parent);
  return found === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true });
}

/**
 * A caller can only have less recorded than the share: traces that it does not record are not recorded here either,
 * and of the others the share is.
 */
function samplerOf(share: number): ParentBasedSampler {
  const ofShare = new TraceIdRatioBasedSampler(share);
  return new ParentBasedSampler({ root: ofShare, remoteParentSampled: ofShare });
}

interface Process {
  readonly resource: Resource;
  readonly log: CollectorLog;
}

const exporterOptions = (url: string, { headers }: TelemetrySettings) => ({
  url,
  headers: { ...headers },
  timeoutMillis: EXPORT_MS,
  concurrencyLimit: EXPORTS_AT_ONCE,
});

function openTraces(url: string, settings: TelemetrySettings, { resource, log }: Process): TracerProvider {
  const exporter = watchExports(new OTLPTraceExporter(exporterOptions(url, settings)), log);
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: QUEUED_SPANS,
    maxExportBatchSize: EXPORTED_SPANS,
    scheduledDelayMillis: settings.delayMs ?? EXPORT_DELAY_MS,
    exportTimeoutMillis: 2 * EXPORT_MS,
  });
  return new TracerProvider({ resource, sampler: samplerOf(settings.share), spanProcessors: [processor] });
}

/** Exports the metrics of the process at an interval, and a last time when it stops. */
class MetricExports {
  readonly #started = millisToHrTime(Date.now());
  readonly #task: PeriodicTask;

  constructor(
    private readonly exporter: OTLPMetricExporter,
    private readonly metrics: Metrics,
    private readonly process: Process & { readonly settings: TelemetrySettings },
  ) {
    this.#task = new PeriodicTask({
      seconds: process.settings.metricsMs / 1000,
      run: () => this.#send(),
      onError: (error) => {
        process.log.note({ code: ExportResultCode.FAILED, error: error as Error });
      },
    });
    this.#task.start();
  }

  async close(): Promise<void> {
    await this.#task.stop();
    await this.#send();
    await this.exporter.shutdown();
  }

  async #send(): Promise<void> {
    const since = [this.#started, millisToHrTime(Date.now())] as const;
    const counts = await this.metrics.counts();
    const items: ResourceMetrics = {
      resource: this.process.resource,
      scopeMetrics: [{ scope: { name: 'headwater' }, metrics: counts.map((one) => metricOf(one, since)) }],
    };
    await new Promise<void>((resolve) => {
      this.exporter.export(items, () => {
        resolve();
      });
    });
  }
}

/** Exports traces and metrics over OTLP. */
export interface Telemetry {
  readonly tracer: Tracer | undefined;
  /** Exports the metrics from now on. */
  watch(metrics: Metrics): void;
  /** Sends what is queued, within two seconds. */
  close(): Promise<void>;
}

/** Nothing waits for the collector: what it does not take in time is dropped. */
export function openTelemetry(
  settings: TelemetrySettings,
  { logger, version, newId }: TelemetryParts,
): Telemetry {
  const resource = resourceFromAttributes({
    ...settings.attributes,
    'service.name': settings.serviceName,
    'service.version': version,
    'service.instance.id': newId(),
  });
  const log = new CollectorLog(logger);
  const { tracesUrl } = settings;
  const traces = tracesUrl === undefined ? undefined : openTraces(tracesUrl, settings, { resource, log });
  const tracer = traces?.getTracer('headwater', version);
  let exports: MetricExports | undefined;
  return {
    tracer: tracer && { start: (span, parent) => openSpan(tracer, span, contextOf(parent)) },
    watch: (metrics) => {
      if (settings.metricsUrl === undefined) return;
      const exporter = new OTLPMetricExporter(exporterOptions(settings.metricsUrl, settings));
      exports = new MetricExports(watchExports(exporter, log), metrics, { settings, resource, log });
    },
    close: async () => {
      // A failure was logged with its export.
      await settled(withTimeLimit(CLOSE_MS, Promise.allSettled([traces?.shutdown(), exports?.close()])));
    },
  };
}
