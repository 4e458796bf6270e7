import { readFile, readdir } from 'node:fs/promises';
import type pg from 'pg';

/** CPU time of all threads of a process in ns; 0 without /proc. */
async function nanosecondsOf(pid: number): Promise<number> {
  const directory = `/proc/${String(pid)}/task`;
  const threads = await readdir(directory).catch(() => []);
  const times = threads.map((thread) =>
    readFile(`${directory}/${thread}/schedstat`, 'utf8').catch(() => '0'),
  );
  return (await Promise.all(times)).reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
}

/** CPU time of a process and its database connections. */
export class ProcessorTime {
  readonly #before = new Map<number, number>();

  constructor(
    private readonly pid: number,
    /** Connected to the same database; without it only the process is measured. */
    private readonly client?: pg.Client,
  ) {}

  async start(): Promise<void> {
    for (const pid of await this.#pids()) this.#before.set(pid, await nanosecondsOf(pid));
  }

  /** Milliseconds since the start, for the process and the database's processes. */
  async stop(): Promise<{ readonly serverMs: number; readonly databaseMs: number }> {
    let [serverMs, databaseMs] = [0, 0];
    for (const pid of await this.#pids()) {
      const spent = ((await nanosecondsOf(pid)) - (this.#before.get(pid) ?? 0)) / 1e6;
      if (pid === this.pid) serverMs = spent;
      else databaseMs += spent;
    }
    return { serverMs, databaseMs };
  }

  async #pids(): Promise<number[]> {
    if (this.client === undefined) return [this.pid];
    const { rows } = await this.client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
         AND pid <> pg_backend_pid()`,
    );
    return [this.pid, ...rows.map(({ pid }) => pid)];
  }
}
