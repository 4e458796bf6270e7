import { ValueType, type HrTime } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricCounts } from './metrics.js';
import type { SpanAttributes } from './work-context.js';

/** When the process started, and now. */
type Since = readonly [HrTime, HrTime];

const pointOf = <T>([startTime, endTime]: Since, attributes: SpanAttributes, value: T): DataPoint<T> => ({
  startTime,
  endTime,
  attributes: { ...attributes },
  value,
});

/** The counts of Prometheus' buckets include those of the smaller ones. */
function histogramOf(name: string, values: MetricCounts['values']) {
  const valueOf = (part: string): number =>
    values.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0;
  const buckets = values.filter(({ metricName }) => metricName === `${name}_bucket`);
  return {
    buckets: {
      boundaries: buckets.flatMap(({ labels: { le } }) => (typeof le === 'number' ? le : [])),
      counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
    },
    sum: valueOf('sum'),
    count: valueOf('count'),
  };
}

const histogramPoints = ({ name, values }: MetricCounts, since: Since) => {
  const series = Object.values(
    Object.groupBy(values, ({ labels: { le: _bound, ...labels } }) => JSON.stringify(labels)),
  );
  return series.map((one = []) => {
    const { le: _bound, ...labels } = one[0]?.labels ?? {};
    return pointOf(since, labels, histogramOf(name, one));
  });
};

/** A metric of Prometheus as OpenTelemetry has it, with the same name. */
export function metricOf(counts: MetricCounts, since: Since): MetricData {
  const { name, help: description, type, values } = counts;
  const unit = /_seconds(?:_total)?$/.test(name) ? 's' : name.endsWith('_bytes') ? 'By' : '';
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(counts, since) };
  const dataPoints = values.map(({ labels, value }) => pointOf(since, labels, value));
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}
