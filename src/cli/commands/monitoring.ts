import process from 'node:process';
import { stringify } from 'yaml';
import { runCommand, UsageError } from '../command-line.js';
import { alertRules, dashboard } from '../monitoring/alerts.js';

const help = `
Usage: npm run monitoring -- alerts
       npm run monitoring -- dashboard

alerts prints a file of rules for Prometheus, dashboard prints JSON that Grafana imports. Both are made of the list of
metrics of this release. The job of Prometheus that reads /metrics must be called headwater.
`;

function main(): void {
  const [name, ...others] = process.argv.slice(2);
  if (others.length > 0 || (name !== 'alerts' && name !== 'dashboard'))
    throw new UsageError('Name what to print: alerts or dashboard.');
  // Long lines are not folded, so that expressions stay readable.
  const text =
    name === 'alerts'
      ? stringify(alertRules(), { lineWidth: 0 })
      : `${JSON.stringify(dashboard(), null, 2)}\n`;
  process.stdout.write(text);
}

runCommand(help, () => Promise.resolve().then(main));
