import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DatabaseProxy } from '../support/database-proxy.js';
import { startReplicated, type ReplicatedServer } from '../support/replication.js';
import { makeProject, withOperations, type SeededProject } from './seed/open-service.js';
import { loadAverage } from './processes.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Of load before the primary is killed. */
    seconds: { type: 'string', default: '5' },
    writers: { type: 'string', default: '8' },
  },
});

/** Until a watchdog notices that the primary is dead. */
const NOTICED_MS = 1000;
/** Of load after the failover. */
const AFTER_MS = 3000;
const GIVE_UP_MS = 60_000;

const types = [
  { apiName: 'note', name: 'Note', isPage: false, fields: [{ apiName: 'title', type: 'text' }] },
] as const;

interface Written {
  /** Ids of entries whose creation was acknowledged. */
  readonly ids: string[];
  /** Times of acknowledgements. */
  readonly at: number[];
  failures: number;
}

/** Creates entries until it is stopped; a failure is followed by the next entry. */
async function write(base: string, { keys, siteId }: SeededProject, state: { isOver: boolean } & Written) {
  const headers = { authorization: `Bearer ${keys.management}`, 'content-type': 'application/json' };
  for (let turn = 0; !state.isOver; turn += 1) {
    const fields = { title: `Note ${String(turn)}` };
    const body = JSON.stringify({ contentTypeApiName: 'note', siteId, fields });
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    const request = { method: 'POST', headers, body, signal };
    try {
      const response = await fetch(`${base}/api/v1/projects/failover/entries`, request);
      const { data } = (await response.json()) as { data?: { id: string } };
      if (data === undefined) throw new Error(String(response.status));
      state.ids.push(data.id);
      state.at.push(performance.now());
    } catch {
      state.failures += 1;
      await delay(20);
    }
  }
}

/** How many of the entries the service does not have. */
async function lostOf(ids: readonly string[], base: string, { keys }: SeededProject): Promise<number> {
  const headers = { authorization: `Bearer ${keys.management}` };
  let lost = 0;
  for (let start = 0; start < ids.length; start += 20) {
    const reads = ids.slice(start, start + 20).map(async (id) => {
      const response = await fetch(`${base}/api/v1/projects/failover/entries/${id}`, { headers });
      await response.arrayBuffer();
      return response.status;
    });
    lost += (await Promise.all(reads)).filter((status) => status !== 200).length;
  }
  return lost;
}

interface Round {
  readonly acknowledged: number;
  readonly failures: number;
  readonly lost: number;
  /** From the promotion to the first write that was acknowledged. */
  readonly firstMs: number;
  readonly promotionMs: number;
}

async function underLoad(server: ReplicatedServer): Promise<Round> {
  const { proxy, url } = await DatabaseProxy.open(server.databaseUrl);
  const project = await withOperations(server.databaseUrl, (operations) =>
    makeProject(operations, { slug: 'failover' }, types),
  );
  const service = await startService(url, { LOG_LEVEL: 'fatal', RATE_LIMITS: '0' });
  const state = { isOver: false, ids: [], at: [], failures: 0 } as { isOver: boolean } & Written;
  const writers = Array.from({ length: Number(flags.writers) }, () => write(service.url, project, state));
  try {
    await delay(Number(flags.seconds) * 1000);
    await server.kill();
    await delay(NOTICED_MS);
    const [standby] = server.standbys;
    if (standby === undefined) throw new Error('There is no replica.');
    const began = performance.now();
    await standby.execute('SELECT pg_promote()');
    proxy.moveTo(standby.port);
    const promoted = performance.now();
    const isLate = () => performance.now() - promoted > GIVE_UP_MS;
    while ((state.at.at(-1) ?? 0) < promoted && !isLate()) await delay(5);
    await delay(AFTER_MS);
    state.isOver = true;
    await Promise.all(writers);
    const first = state.at.find((at) => at > promoted) ?? Infinity;
    return {
      acknowledged: state.ids.length,
      failures: state.failures,
      lost: await lostOf(state.ids, service.url, project),
      firstMs: first - promoted,
      promotionMs: promoted - began,
    };
  } finally {
    state.isOver = true;
    await service.stop();
    proxy.close();
  }
}

let isOk = true;
for (let round = 1; round <= Number(flags.rounds); round += 1) {
  const server = await startReplicated(1, { isSynchronous: true });
  try {
    const { acknowledged, failures, lost, firstMs, promotionMs } = await underLoad(server);
    isOk &&= lost === 0 && Number.isFinite(firstMs);
    process.stdout.write(
      `${String(round)}: ${String(acknowledged)} writes acknowledged, ${String(lost)} lost, ${String(failures)} refused; ` +
        `promotion ${promotionMs.toFixed(0)} ms, first write ${firstMs.toFixed(0)} ms after it.\n`,
    );
  } finally {
    await server.stop();
  }
}
process.stdout.write(`Load ${await loadAverage()}.\n`);
process.exit(isOk ? 0 : 1);
