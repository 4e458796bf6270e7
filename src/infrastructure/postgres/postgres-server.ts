import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { PostgresAccount, PostgresBinaries } from './postgres-binaries.js';
import { isProcessAlive, isProcessIdFree, processArguments, waitForExit } from '../directory-lock.js';

/** Keeps statements, parameters and details out of the server's log, and puts the SQL state into each line. */
const LOG_SETTINGS: readonly string[] = [
  'logging_collector=off',
  'log_line_prefix=%m [%p] %e ',
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
  'log_statement=none',
  'log_duration=off',
  'log_min_duration_statement=-1',
  'log_min_duration_sample=-1',
  'log_transaction_sample_rate=0',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
];

const SERVER_LINE =
  /^(?<when>\d{4}-\d\d-\d\d \S+ \S+ \[\d+\]) (?<state>[0-9A-Z]{5}) (?<severity>[A-Z]+\d?): /;
const STATUS: ReadonlySet<string | undefined> = new Set(['LOG', 'INFO']);
const PROBLEMS: ReadonlySet<string | undefined> = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC']);

/**
 * Returns a filter for the lines of one server. Messages of problems quote values of users, also over several
 * lines, so only their severity and SQL state remain. Lines before the server's first one are kept: they say why a
 * program cannot be run.
 */
function valueFreeLines(): (line: string) => string | undefined {
  let hasStarted = false;
  return (line) => {
    const { when, state, severity } = SERVER_LINE.exec(line)?.groups ?? {};
    if (severity === undefined) return hasStarted ? undefined : line;
    hasStarted = true;
    if (STATUS.has(severity)) return line;
    return PROBLEMS.has(severity) ? `${String(when)} ${severity}: SQL state ${String(state)}` : undefined;
  };
}

export interface PostgresCluster {
  /** Absolute. */
  readonly directory: string;
  readonly binaries: PostgresBinaries;
  /** Undefined: the current user. */
  readonly account: PostgresAccount | undefined;
  /** Server settings, such as `fsync=off`. */
  readonly settings?: readonly string[];
  log(line: string): void;
}

export interface PostgresServer {
  readonly port: number;
  /** Ends sessions, writes a checkpoint and waits for the process to exit. */
  stop(): Promise<void>;
}

const startTimeoutSeconds = 60;
const stopTimeoutSeconds = 15;

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

type LineFilter = (line: string) => string | undefined;

const everyLine: LineFilter = (line) => line;

/** @param filter of the lines to log; `failure` is the last problem as the program reported it */
function run(
  cluster: PostgresCluster,
  [program, ...args]: readonly [string, ...string[]],
  filter: LineFilter,
) {
  const { uid, gid } = cluster.account ?? {};
  // A separate session: Ctrl-C must not stop the database before the service has drained.
  const child = spawn(program, args, {
    ...(uid !== undefined && gid !== undefined && { uid, gid }),
    detached: true,
    cwd: path.dirname(cluster.directory),
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let lastLine = '';
  let rest = '';
  const take = (line: string): void => {
    if (line.trim() === '') return;
    if (/FATAL|PANIC|error/i.test(line)) lastLine = line.trim();
    const logged = filter(line.trimEnd());
    if (logged !== undefined) cluster.log(logged);
  };
  // Not split at carriage returns, which values may contain.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  child.stderr.on('end', () => {
    take(rest);
  });
  return { child, failure: () => lastLine };
}

/**
 * UTF-8, code point order as on every machine, passwords required.
 * @param superuserPasswordFile readable by the cluster's account
 */
export async function initialiseCluster(
  cluster: PostgresCluster,
  superuserPasswordFile: string,
): Promise<void> {
  const args = [
    `--pgdata=${cluster.directory}`,
    '--username=postgres',
    `--pwfile=${superuserPasswordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(cluster.settings?.includes('fsync=off') ? ['--no-sync'] : []),
  ];
  const { child, failure } = run(cluster, [cluster.binaries.initdb, ...args], everyLine);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The embedded database could not be created: ${failure()}`);
}

/** States in which a server accepts connections; a replica has the second one. */
const accepting: ReadonlySet<string | undefined> = new Set(['ready', 'standby']);

/** Lines of `postmaster.pid`: 1 the process, 4 the port, 8 the state. */
async function readPidFile(
  directory: string,
): Promise<{ pid: number; port: number; isReady: boolean } | undefined> {
  const text = await readFile(path.join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return { pid, port: Number(lines[3]), isReady: accepting.has(lines[7]?.trim()) };
}

export async function runningPort(directory: string): Promise<number | undefined> {
  const found = await readPidFile(directory);
  return found?.isReady && isProcessAlive(found.pid) ? found.port : undefined;
}

async function stopProcess(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (isProcessAlive(pid)) process.kill(pid, signal);
    if (await waitForExit(pid, stopTimeoutSeconds)) return;
  }
  throw new Error(`The database process ${pid} did not stop.`);
}

async function isServerOf(pid: number, directory: string): Promise<boolean> {
  const args = await processArguments(pid);
  // Some systems do not show arguments.
  if (args.length === 0) return true;
  const served = args[args.indexOf('-D') + 1] ?? '';
  return path.resolve(await realpath(served).catch(() => served)) === (await realpath(directory));
}

/**
 * Stops a server whose parent was killed; requires the directory lock. Removes a stale pid file, which PostgreSQL
 * would refuse.
 */
export async function stopOrphan(cluster: PostgresCluster): Promise<void> {
  const left = await readPidFile(cluster.directory);
  if (left === undefined || isProcessIdFree(left.pid)) return;
  if (isProcessAlive(left.pid) && (await isServerOf(left.pid, cluster.directory))) {
    cluster.log(`Stopping the database that an earlier process left running (${left.pid}).`);
    await stopProcess(left.pid);
  }
  await rm(path.join(cluster.directory, 'postmaster.pid'), { force: true });
}

/**
 * Waits until the server accepts connections, recovery included.
 * @throws Error with PostgreSQL's message when it does not start within a minute
 */
export async function startServer(cluster: PostgresCluster, port: number): Promise<PostgresServer> {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    ...LOG_SETTINGS,
    ...(cluster.settings ?? []),
  ];
  const args = ['-D', cluster.directory, ...settings.flatMap((setting) => ['-c', setting])];
  const { child, failure } = run(cluster, [cluster.binaries.postgres, ...args], valueFreeLines());
  const pid = child.pid;
  if (pid === undefined)
    throw new Error(`The embedded database could not be run: ${cluster.binaries.postgres}`);
  // An exiting process has no time for more than a signal.
  const onExit = () => child.kill('SIGINT');
  process.on('exit', onExit);
  child.on('exit', () => process.off('exit', onExit));
  const deadline = Date.now() + startTimeoutSeconds * 1000;
  for (;;) {
    const file = await readPidFile(cluster.directory);
    if (file?.pid === pid && file.isReady) break;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error(`The embedded database does not start: ${failure() || 'it gave no reason'}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { port, stop: () => (child.exitCode === null ? stopProcess(pid) : Promise.resolve()) };
}
