import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './growth/median.js';
import { memoryMb } from './processes.js';
import { startSizedServer } from './sizes/databases.js';
import { openStage, PROJECT, type Stage } from './sizes/stage.js';

const { values: flags } = parseArgs({ options: { requests: { type: 'string', default: '10000' } } });
const requests = Number(flags.requests);
const ARTICLES = 2000;
const SAMPLE = 250;
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
  const samples: number[] = [];
  let sent = 0;
  let bytes = 0;
  const client = async (): Promise<void> => {
    while (sent < requests) {
      const turn = sent;
      sent += 1;
      bytes += (await cached.ask({ method: 'GET', path: listPath(turn), key: 'delivery' })).length;
      if (turn % SAMPLE === 0) samples.push(await memoryMb(cached.pid));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const settled = samples.slice(samples.length / 2);
  console.log('| Responses, MB | idle, MB | median, MB | largest, MB |');
  console.log('| ---: | ---: | ---: | ---: |');
  const cells = [bytes / 1_048_576, idle, median(settled), Math.max(...samples)];
  console.log(`| ${cells.map((cell) => cell.toFixed(0)).join(' | ')} |`);
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
