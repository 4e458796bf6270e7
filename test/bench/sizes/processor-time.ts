import { readFile, readdir } from 'node:fs/promises';
import type pg from 'pg';

/** Nanoseconds that a process has run, all its threads together; 0 where the system does not tell. */
async function nanosecondsOf(pid: number): Promise<number> {
  const directory = `/proc/${String(pid)}/task`;
  const threads = await readdir(directory).catch(() => []);
  const times = threads.map((thread) =>
    readFile(`${directory}/${thread}/schedstat`, 'utf8').catch(() => '0'),
  );
  return (await Promise.all(times)).reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
}

/** What a process and its database spend, by the system's own count. */
export class ProcessorTime {
  readonly #before = new Map<number, number>();

  constructor(
    private readonly pid: number,
    /** Connected to the database of that process. */
    private readonly superuser: pg.Client,
  ) {}

  async start(): Promise<void> {
    for (const pid of await this.#pids()) this.#before.set(pid, await nanosecondsOf(pid));
  }

  /** Milliseconds since the start: of the process, and of the database's processes. */
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
    const { rows } = await this.superuser.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
         AND pid <> pg_backend_pid()`,
    );
    return [this.pid, ...rows.map(({ pid }) => pid)];
  }
}
