import { readFileSync } from 'node:fs';
import http from 'node:http';
import process from 'node:process';
import { memoryFloor, type KnownAnswer } from './floor-memory.js';
import { statementsFloor } from './floor-statements.js';
import { textFloor } from './floor-text.js';
import { transactionFloor } from './floor-transaction.js';

/**
 * A floor: the least that a Node server can do for the same bytes and rows. Arguments: `memory <file of
 * responses>`, or `statements`, `text` or `transaction` with `DATABASE_URL`.
 */
const [kind = '', port = '0', file = ''] = process.argv.slice(2);

function listener(): http.RequestListener {
  if (kind === 'memory') return memoryFloor(JSON.parse(readFileSync(file, 'utf8')) as KnownAnswer[]);
  const url = process.env.DATABASE_URL ?? '';
  const values = JSON.parse(process.env.BENCH_VALUES ?? '{}') as Record<string, string>;
  if (kind === 'text') return textFloor(url, values);
  return kind === 'statements' ? statementsFloor(url, values) : transactionFloor(url, values);
}

const serve = listener();
http
  .createServer((request, response) => {
    if (request.url === '/healthz') response.end();
    else serve(request, response);
  })
  .listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
