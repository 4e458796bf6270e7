import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './growth/median.js';
import { cpuMs, memoryMb } from './processes.js';
import { startSizedServer } from './sizes/databases.js';
import { openStage, PROJECT, type Stage } from './sizes/stage.js';

const { values: flags } = parseArgs({ options: { requests: { type: 'string', default: '10000' } } });
const requests = Number(flags.requests);
const ARTICLES = 2000;
const SAMPLE = 250;
/** Requests after which memory is reported, too. */
const EARLY = 1000;
const CLIENTS = 8;

/** A list of 25 that no request before asked for. */
const listPath = (turn: number): string => {
  const paging = `page=${String(1 + (turn % 79))}&limit=${String(20 + (Math.floor(turn / 79) % 10))}`;
  const order = turn % 2 === 0 ? 'createdAt:asc' : 'createdAt:desc';
  const bound = new Date(Date.UTC(2000, 0, 1) + turn * 1000).toISOString();
  return `/api/delivery/projects/${PROJECT}/sites/main/content/article?${paging}&orderBy=${order}&filter[_publishedAt][gt]=${bound}`;
};

/** Fills the cache of 64 MB over and over, and prints the memory of the process. */
async function turnOver({ cached }: Stage): Promise<void> {
  const idle = await memoryMb(cached.pid);
  const cpuBefore = await cpuMs(cached.pid);
  const samples: number[] = [];
  let [sent, bytes, early] = [0, 0, idle];
  const client = async (): Promise<void> => {
    while (sent < requests) {
      const turn = sent;
      sent += 1;
      const { length } = await cached.ask({ method: 'GET', path: listPath(turn), key: 'delivery' });
      bytes += length;
      if (turn % SAMPLE === 0) samples.push(await memoryMb(cached.pid));
      if (turn === EARLY) early = await memoryMb(cached.pid);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const settled = samples.slice(samples.length / 2);
  const cpu = ((await cpuMs(cached.pid)) - cpuBefore) / requests;
  console.log(
    `| Responses, MB | CPU ms | idle, MB | after ${String(EARLY)}, MB | median, MB | largest, MB |`,
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
  const megabytes = [idle, early, median(settled), Math.max(...samples)].map((cell) => cell.toFixed(0));
  console.log(`| ${[(bytes / 1_048_576).toFixed(0), cpu.toFixed(2), ...megabytes].join(' | ')} |`);
}

const server = await startSizedServer();
try {
  const database = await server.create('headwater_turnover');
  const stage = await openStage(database, ARTICLES);
  try {
    await turnOver(stage);
  } finally {
    await stage.close();
    await database.drop();
  }
} finally {
  await server.stop();
}
process.exit(0);
