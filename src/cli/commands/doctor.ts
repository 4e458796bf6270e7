import process from 'node:process';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../command-line.js';
import { lineOf } from '../doctor/check.js';
import { runDoctor } from '../doctor/run-doctor.js';

const help = `
Usage: npm run doctor [-- --json] [--timeout <seconds>]

Checks settings, database, roles, extensions, collation, clock, replication, queues, storage, search, certificates and
every other system that the settings name. One line says what was found and what to do. Exits with 1 if a check fails.

  --json     print one JSON object instead
  --timeout  seconds that each check may take; 10 if left out
`;

const LONGEST_SECONDS = 600;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, timeout: { type: 'string', default: '10' } },
  });
  const seconds = Number(values.timeout);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS)
    throw new UsageError(`--timeout must be a whole number from 1 to ${String(LONGEST_SECONDS)}.`);
  const checks = await runDoctor({ env: process.env, limitMs: seconds * 1000 });
  const isOk = checks.every(({ state }) => state !== 'fail');
  const text = values.json ? JSON.stringify({ ok: isOk, checks }, null, 2) : checks.map(lineOf).join('\n');
  // A system that hangs would keep its connection, and the process, for longer.
  process.stdout.write(`${text}\n`, () => process.exit(isOk ? 0 : 1));
}

runCommand(help, main);
