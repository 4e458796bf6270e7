import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { alertRules, alerts, dashboard } from '../../src/cli/monitoring/alerts.js';
import { metricList, nodeMetrics } from '../../src/infrastructure/metrics.js';
import { useOwnApp } from '../support/desk.js';
import { hasPromtool, serverPath } from '../support/optional-servers.js';
import { runCommand } from '../support/service-process.js';

const metricsToken = 'a token that only the monitoring has'.replaceAll(' ', '-');
const app = useOwnApp({ metricsToken });

beforeAll(() => {
  app().composition.metrics.watchProcess();
});

/** Of settings that the tested service does not have: replicas, and several processes. */
const ABSENT: readonly string[] = [
  metricList.replicaLag.name,
  metricList.publishedReads.name,
  metricList.processes.name,
];
/** Made by Prometheus. */
const OF_PROMETHEUS = ['up'];

const listed = Object.values(metricList);

async function exposed(): Promise<ReadonlyMap<string, string>> {
  const { text } = await app().request.get('/metrics').set('Authorization', `Bearer ${metricsToken}`);
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
  );
}

/** Names of metrics in an expression. */
function namesIn(expression: string): string[] {
  const names = [...expression.matchAll(/\b(?:headwater|nodejs|process)_[a-z0-9_]+|\bup\b/g)].map(
    ([name]) => name,
  );
  return names.map((name) => name.replace(/_seconds_(?:bucket|count)$/, '_seconds'));
}

const panels = (dashboard() as { panels: { title: string; targets: { expr: string }[] }[] }).panels;
const expressions = [
  ...alerts.map(({ expression }) => expression),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

describe('The list of metrics', () => {
  it('has every metric of the service with its kind', async () => {
    const found = await exposed();
    const own = [...found].filter(([name]) => name.startsWith('headwater_'));
    const expected = listed
      .filter(({ name }) => !ABSENT.includes(name))
      .map(({ name, kind }) => [name, kind]);
    expect(own.sort()).toEqual(expected.sort());
  });

  it('has every metric that an alert or a panel names', async () => {
    const known = [
      ...listed.map(({ name }) => name),
      ...Object.values(nodeMetrics),
      ...OF_PROMETHEUS,
    ] as string[];
    expect(expressions.flatMap(namesIn).filter((name) => !known.includes(name))).toEqual([]);
    expect(expressions.every((expression) => namesIn(expression).length > 0)).toBe(true);
    const found = await exposed();
    expect(Object.values(nodeMetrics).filter((name) => !found.has(name))).toEqual([]);
  });

  it('has a panel for each metric', () => {
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)));
    expect(listed.filter(({ name }) => !shown.includes(name))).toEqual([]);
  });
});

describe('The runbook', () => {
  it('has one paragraph for each alert, and none for others', async () => {
    const text = await readFile('src/process/README.md', 'utf8');
    const paragraphs = [...text.matchAll(/^### (Headwater\w+)\n\n(.+)/gm)].map(([, name]) => name);
    expect(paragraphs).toEqual(alerts.map(({ name }) => name));
  });
});

describe('npm run monitoring', () => {
  it('prints rules and a dashboard', async () => {
    const print = (what: string) => runCommand('postgres://127.0.0.1:1/unused', ['monitoring', what]);
    const rules = await print('alerts');
    const shown = await print('dashboard');
    expect([rules.code, parse(rules.output)]).toEqual([0, alertRules()]);
    expect([shown.code, JSON.parse(shown.output)]).toEqual([0, dashboard()]);
    const unknown = await print('metrics');
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('alerts or dashboard')]);
  });

  (hasPromtool ? it : it.skip)('prints rules that Prometheus accepts and that fire', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'headwater-rules-'));
    try {
      await writeFile(path.join(folder, 'rules.yml'), stringify(alertRules()));
      const queue = { series: 'headwater_queue_lag_seconds{queue="mails"}', values: '700x30' };
      const failing = { series: 'headwater_requests_total{status="503"}', values: '0+10x90' };
      const served = { series: 'headwater_requests_total{status="200"}', values: '0+90x90' };
      const labels = { severity: 'page' };
      const test = (input: object[], time: string, name: string, more: object) => ({
        interval: '1m',
        input_series: input,
        alert_rule_test: [
          { eval_time: time, alertname: name, exp_alerts: [{ exp_labels: { ...labels, ...more } }] },
        ],
      });
      const cases = {
        rule_files: ['rules.yml'],
        tests: [
          test([queue], '20m', 'HeadwaterQueueStandsStill', { queue: 'mails' }),
          test([failing, served], '80m', 'HeadwaterErrorBudgetBurnsFast', {}),
        ],
      };
      for (const {
        alert_rule_test: [one],
      } of cases.tests) {
        const [expected] = (one as { exp_alerts: { exp_annotations?: object }[] }).exp_alerts;
        const alert = alerts.find(({ name }) => name === one?.alertname);
        if (expected !== undefined && alert !== undefined)
          expected.exp_annotations = {
            summary: alert.summary.replace('{{ $labels.queue }}', 'mails'),
            runbook: `src/process/README.md#${alert.name.toLowerCase()}`,
          };
      }
      await writeFile(path.join(folder, 'tests.yml'), stringify(cases));
      const promtool = (...args: string[]): string =>
        execFileSync(serverPath('PROMTOOL'), args, { cwd: folder, encoding: 'utf8' });
      expect(promtool('check', 'rules', 'rules.yml')).toContain(
        `SUCCESS: ${String(alerts.length)} rules found`,
      );
      expect(promtool('test', 'rules', 'tests.yml')).toContain('SUCCESS');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
