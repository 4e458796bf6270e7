#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '../..');
const tsx = ['--import', 'tsx'];
const built = { isBuilt: true, node: tsx };

/**
 * Every benchmark by the name that `npm run bench` takes.
 * @type {Record<string, { about: string, file?: string, tests?: string[], isBuilt?: boolean, node?: string[], args?: string[] }>}
 */
const benchmarks = {
  throughput: { about: 'Throughput against hand-written servers', file: 'run.ts', ...built },
  publications: {
    about: 'Cached reads at a fixed rate beside publications',
    file: 'publications.ts',
    ...built,
  },
  sizes: {
    about: 'The same requests at 1,000, 100,000 and 1,000,000 articles',
    file: 'run.ts',
    args: ['--growth'],
    ...built,
  },
  search: {
    about: 'Quality and speed of 133 labelled searches',
    file: 'run.ts',
    args: ['--search'],
    ...built,
  },
  growth: {
    about: 'Management, delivery and reports in small and large projects',
    file: 'growth/run.ts',
    ...built,
  },
  lag: { about: 'How long changes wait to be indexed for search', file: 'search/lag.ts', ...built },
  coherence: { about: 'Stale reads after writes, on two processes', file: 'coherence.ts', ...built },
  failover: {
    about: 'Writes while a synchronous replica replaces the primary',
    file: 'failover.ts',
    ...built,
  },
  'event-loop': {
    about: 'Longest turn of the event loop under hostile requests and files',
    tests: ['test/operations/event-loop.test.ts', 'test/operations/file-event-loop.test.ts'],
  },
  batch: {
    about: 'Entries created and published by single calls and by batches',
    file: 'batch.ts',
    ...built,
  },
  writes: { about: 'Saving and publishing with many locales and long values', file: 'writes.ts', ...built },
  sync: {
    about: 'A site that is followed by cursors, and what it costs publications',
    file: 'sync.ts',
    ...built,
  },
  streams: {
    about: 'Memory and delay of 1,000 open streams of changes',
    file: 'streams.ts',
    ...built,
  },
  releases: {
    about: 'A release of 1,000 entries against ten bulk publications of 100',
    file: 'releases.ts',
    ...built,
  },
  import: {
    about: 'Locale versions imported a second',
    file: 'import.ts',
    node: ['--max-semi-space-size=16', ...tsx],
  },
  export: {
    about: 'Entries exported and imported a second, and what they cost',
    file: 'export.ts',
    ...built,
  },
  media: { about: 'Files and renditions against node:http and bare sharp', file: 'media/run.ts', ...built },
  kill: { about: 'What survives SIGKILL under load', file: 'kill/run.ts', ...built },
  'kill-media': { about: 'What survives SIGKILL during uploads', file: 'kill/media.ts', ...built },
  'kill-promotions': {
    about: 'What survives SIGKILL during copies, promotions and rollbacks',
    file: 'kill/promotions.ts',
    ...built,
  },
  overload: {
    about: 'Three times the capacity, and bursts of connections',
    file: 'overload/run.ts',
    ...built,
  },
  retention: {
    about: 'What 1,000 writes leave behind, and what retention deletes',
    file: 'retention.ts',
    ...built,
  },
  capacity: {
    about: 'One process and four against the simulation, and what more would serve',
    file: 'capacity/run.ts',
    ...built,
  },
  soak: { about: 'Memory, event loop and connections under mixed load', file: 'soak/run.ts', ...built },
  turnover: {
    about: 'Memory while the response cache is filled over and over',
    file: 'turnover.ts',
    ...built,
  },
  admin: { about: 'The admin app in headless Chromium', file: 'admin/run.ts', ...built },
};

const width = Math.max(...Object.keys(benchmarks).map((name) => name.length));
const usage = [
  'Usage: npm run bench -- <name> [options]',
  '',
  ...Object.entries(benchmarks).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`),
  '',
].join('\n');

/** @param {string[]} args */
function node(args, env = process.env) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  return status ?? 1;
}

/** @param {string} name @param {string[]} options */
function run(name, options) {
  const { file, tests, isBuilt = false, node: flags = [], args = [] } = benchmarks[name];
  if (tests !== undefined) {
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    return node([...jest, ...tests, ...options], { ...process.env, EVENT_LOOP: 'measure' });
  }
  const status = isBuilt ? node(['src/cli/build.js']) : 0;
  return status === 0 ? node([...flags, `test/bench/${file}`, ...args, ...options]) : status;
}

const [name, ...options] = process.argv.slice(2);
if (name === undefined || name === '--help') process.stdout.write(usage);
else if (Object.hasOwn(benchmarks, name)) process.exitCode = run(name, options);
else {
  process.stderr.write(`bench: there is no benchmark ${JSON.stringify(name)}\n\n${usage}`);
  process.exitCode = 2;
}
