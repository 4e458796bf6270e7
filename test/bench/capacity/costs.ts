import { readFile, readdir } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { load, type LoadOptions } from '../load.js';
import type { Request } from '../scenarios.js';
import type { RequestCost } from './simulation.js';

const TICK_MS = 10;

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Fields of `/proc/<pid>/stat` after the name, from the state on. */
async function statOf(pid: number): Promise<string[]> {
  const text = await read(`/proc/${String(pid)}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const parentOf = async (pid: number): Promise<number> => Number((await statOf(pid))[1]);

/** A process and its descendants. */
async function treeOf(root: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)));
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

/** Processor time in ms: of first threads, and of all. */
async function timeOf(root: number): Promise<{ readonly main: number; readonly all: number }> {
  let [main, all] = [0, 0];
  for (const pid of await treeOf(root))
    for (const thread of await readdir(`/proc/${String(pid)}/task`).catch(() => [])) {
      const ran = Number((await read(`/proc/${String(pid)}/task/${thread}/schedstat`)).split(' ')[0]) / 1e6;
      all += ran;
      if (Number(thread) === pid) main += ran;
    }
  return { main, all };
}

/** Part of a run after which the processor time of the load generator is read, before it ends. */
const NEARLY = 0.9;

/** Processor time of the load generator: a child of this process, else a thread of it. */
async function generatorMs(milliseconds: number): Promise<number> {
  const own = process.cpuUsage();
  await delay(milliseconds * NEARLY);
  for (const pid of await treeOf(process.pid))
    if ((await read(`/proc/${String(pid)}/comm`)).trim() === 'wrk') return (await timeOf(pid)).all / NEARLY;
  const { user, system } = process.cpuUsage(own);
  return (user + system) / 1000 / NEARLY;
}

/** Processor time that threads of the machine had. Interrupts of the network are part of the time of threads. */
async function busyMs(): Promise<number> {
  const [, ...fields] = (await read('/proc/stat')).split('\n', 1)[0]?.split(/\s+/) ?? [];
  const [user = 0, nice = 0, system = 0] = fields.map(Number);
  return (user + nice + system) * TICK_MS;
}

export const treeTime = async (root: number): Promise<number> => (await timeOf(root)).all;

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Times {
  readonly main: number;
  readonly all: number;
  readonly database: number;
  readonly busy: number;
  readonly at: number;
}

/** What is measured: the service, and the first process of the database. */
export interface Place {
  readonly pid: number;
  readonly postmaster: number;
}

export async function timesOf({ pid, postmaster }: Place): Promise<Times> {
  const [service, database] = [await timeOf(pid), await timeOf(postmaster)];
  return {
    ...service,
    database: database.all,
    // This process reads the times of all others.
    busy: (await busyMs()) - ownMs(),
    at: performance.now(),
  };
}

export interface Run {
  readonly requestsPerSecond: number;
  readonly cost: RequestCost;
  /** What other processes of the machine left, of so many cores. */
  readonly coresLeft: number;
  readonly bytes: number;
}

export async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0]?.pid ?? 0);
}

/** Sends a request again and again, and divides the processor time that it took. */
export async function measureLoad(
  place: Place & { readonly url: string },
  request: Request,
  { cores, ...options }: LoadOptions & { readonly cores: number },
): Promise<Run> {
  const before = await timesOf(place);
  const generating = generatorMs(options.seconds * 1000);
  const result = await load(place.url, request, options);
  const generator = await generating;
  if (result.failures > 0) throw new Error(`${request.path}: ${String(result.failures)} failures`);
  const after = await timesOf(place);
  const spent = (name: keyof Times): number => after[name] - before[name];
  const own = spent('all') + spent('database') + generator;
  const each = (milliseconds: number): number => milliseconds / result.requests;
  return {
    requestsPerSecond: result.requestsPerSecond,
    cost: {
      process: each(spent('main')),
      helpers: each(spent('all') - spent('main')),
      database: each(spent('database')),
      generator: each(generator),
    },
    coresLeft: cores - Math.max(0, spent('busy') - own) / spent('at'),
    bytes: result.bytesPerAnswer,
  };
}
