import { metricList as metrics, nodeMetrics } from '../../infrastructure/metrics.js';

interface Alert {
  readonly name: string;
  readonly expression: string;
  /** How long it must be true, as Prometheus writes it. */
  readonly lasts: string;
  /** `page`: users notice it now. `ticket`: within a day. */
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
}

/** Of requests, in 30 days, without a failure of the service. */
const OBJECTIVE = 0.999;

const { requests, durations } = metrics;

const failedShare = (window: string): string =>
  `sum(rate(${requests.name}{status=~"5.."}[${window}])) / sum(rate(${requests.name}[${window}]))`;

/** The error budget is used so many times faster than it lasts for 30 days, lately and for longer. */
function burns(rate: number, short: string, long: string): string {
  const most = Number((rate * (1 - OBJECTIVE)).toFixed(4));
  return `(${failedShare(short)}) > ${String(most)} and (${failedShare(long)}) > ${String(most)}`;
}

const slowShare = `1 - sum(rate(${durations.name}_bucket{le="1"}[10m])) / sum(rate(${durations.name}_count[10m]))`;

/** The largest reading of each label value, over all processes. */
const largest = ({ name, label }: { readonly name: string; readonly label: string }): string =>
  `max by (${label}) (${name})`;

const processesOf = (state: string): string =>
  `max without (state) (${metrics.processes.name}{state="${state}"})`;

/** Each has a paragraph in the runbook of src/process/README.md. */
export const alerts: readonly Alert[] = [
  {
    name: 'HeadwaterDown',
    expression: 'up{job="headwater"} == 0',
    lasts: '2m',
    severity: 'page',
    summary: 'A process does not respond to the monitoring.',
  },
  {
    name: 'HeadwaterErrorBudgetBurnsFast',
    expression: burns(14.4, '5m', '1h'),
    lasts: '2m',
    severity: 'page',
    summary: 'Requests fail so often that the error budget of 30 days is used in two days.',
  },
  {
    name: 'HeadwaterErrorBudgetBurns',
    expression: burns(3, '2h', '1d'),
    lasts: '15m',
    severity: 'ticket',
    summary: 'Requests fail so often that the error budget of 30 days is used in ten days.',
  },
  {
    name: 'HeadwaterSlow',
    expression: `(${slowShare}) > 0.01`,
    lasts: '15m',
    severity: 'ticket',
    summary: 'More than 1 % of the requests take longer than a second.',
  },
  {
    name: 'HeadwaterQueueStandsStill',
    expression: `${largest(metrics.queueLag)} > 600`,
    lasts: '5m',
    severity: 'page',
    summary: 'The oldest work of the queue {{ $labels.queue }} has been due for ten minutes.',
  },
  {
    name: 'HeadwaterQueueSlow',
    expression: `${largest(metrics.queueLag)} > 60`,
    lasts: '30m',
    severity: 'ticket',
    summary: 'The oldest work of the queue {{ $labels.queue }} has been due for a minute.',
  },
  {
    name: 'HeadwaterNeighbourUnavailable',
    expression: `${largest(metrics.neighbourDegraded)} == 1`,
    lasts: '5m',
    severity: 'ticket',
    summary: '{{ $labels.neighbour }} does not respond.',
  },
  {
    name: 'HeadwaterReplicaBehind',
    expression: `${largest(metrics.replicaLag)} > 10`,
    lasts: '5m',
    severity: 'ticket',
    summary: 'The replica {{ $labels.replica }} is more than ten seconds behind.',
  },
  {
    name: 'HeadwaterConnectionsShort',
    expression: `sum by (pool) (${metrics.poolWaiting.name}) > 0`,
    lasts: '5m',
    severity: 'ticket',
    summary: 'Requests wait for a database connection of the pool {{ $labels.pool }}.',
  },
  {
    name: 'HeadwaterClockOff',
    expression: `abs(${largest(metrics.clockAhead)}) > 2`,
    lasts: '5m',
    severity: 'ticket',
    summary: "A clock differs from the database's by more than two seconds.",
  },
  {
    name: 'HeadwaterProcessesMissing',
    expression: `${processesOf('ready')} < ${processesOf('wanted')}`,
    lasts: '5m',
    severity: 'ticket',
    summary: 'Fewer processes serve than HEADWATER_PROCESSES.',
  },
  {
    name: 'HeadwaterRestarts',
    expression: `changes(${nodeMetrics.startTime}{job="headwater"}[30m]) > 3`,
    lasts: '0m',
    severity: 'ticket',
    summary: 'A process was restarted more than three times in half an hour.',
  },
  {
    name: 'HeadwaterEventLoopBlocked',
    expression: `${nodeMetrics.eventLoopLag}{job="headwater"} > 0.5`,
    lasts: '10m',
    severity: 'ticket',
    summary: 'A process is busy for more than half a second at a time.',
  },
];

/** A file of rules for Prometheus, as an object for YAML. */
export const alertRules = (): object => ({
  groups: [
    {
      name: 'headwater',
      rules: alerts.map(({ name, expression, lasts, severity, summary }) => ({
        alert: name,
        expr: expression,
        for: lasts,
        labels: { severity },
        annotations: { summary, runbook: `src/process/README.md#${name.toLowerCase()}` },
      })),
    },
  ],
});

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

const unitOf = (name: string): string => {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'bytes' : 'short';
};

/** What a metric is read by. */
function targetsOf(metric: (typeof metrics)[keyof typeof metrics]): Target[] {
  const { kind, name, label } = metric;
  const legendFormat = `{{${label}}}`;
  if (kind === 'counter') return [{ expr: `sum by (${label}) (rate(${name}[5m]))`, legendFormat }];
  if (kind === 'histogram')
    return [0.5, 0.95, 0.99].map((share) => ({
      expr: `histogram_quantile(${String(share)}, sum by (le, ${label}) (rate(${name}_bucket[5m])))`,
      legendFormat: `${legendFormat} p${String(share * 100)}`,
    }));
  const isShared = 'isShared' in metric;
  return [{ expr: `${isShared ? 'max' : 'sum'} by (${label}) (${name})`, legendFormat }];
}

const ofProcess = (name: string): Target[] => [
  {
    expr: `${name.endsWith('_total') ? `rate(${name}` : name}{job="headwater"}${name.endsWith('_total') ? '[5m])' : ''}`,
    legendFormat: '{{instance}}',
  },
];

const PANEL = { width: 12, height: 8 } as const;

/** Grafana's dashboard: one panel for the error budget, and one for each metric. */
export function dashboard(): object {
  const source = { type: 'prometheus', uid: '${source}' };
  const failures = { expr: failedShare('5m'), legendFormat: 'failed' };
  const contents = [
    { title: 'Share of requests that fail', targets: [failures], unit: 'percentunit' },
    ...Object.values(metrics).map((metric) => ({
      title: metric.help,
      targets: targetsOf(metric),
      unit:
        metric.kind === 'counter' && metric.name !== metrics.neighbourSeconds.name
          ? 'short'
          : unitOf(metric.name),
    })),
    ...Object.values(nodeMetrics)
      .filter((name) => name !== nodeMetrics.startTime)
      .map((name) => ({ title: name, targets: ofProcess(name), unit: unitOf(name) })),
  ];
  const { width: w, height: h } = PANEL;
  return {
    uid: 'headwater',
    title: 'Headwater',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
    panels: contents.map(({ title, targets, unit }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title,
      datasource: source,
      gridPos: { x: (index % 2) * w, y: Math.floor(index / 2) * h, w, h },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: targets.map((target, place) => ({
        ...target,
        refId: String.fromCharCode(65 + place),
        datasource: source,
      })),
    })),
  };
}
