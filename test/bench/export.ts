import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { loadAverage, memoryMb } from './processes.js';
import { ProcessorTime } from './processor-time.js';
import { withDatabase } from './scratch-database.js';
import { seedContent } from './seed-content.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const progress = new PassThrough().resume();

await withDatabase(async ({ url }) => {
  const { managementKey = '' } = await seedContent(url);
  const service = await startService(url, {}, true);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-export-'));
  try {
    console.log('| Entries a second | Service CPU ms each | Database | Command | MB of the command |');
    console.log('| ---: | ---: | ---: | ---: | ---: |');
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      const time = new ProcessorTime(service.pid, client);
      await time.start();
      const [startedAt, before] = [performance.now(), process.cpuUsage()];
      let printed = '';
      const place = ['--url', service.url, '--key', managementKey, '--project', 'bench'];
      await runExportCommand([...place, '--out', `round-${String(round)}`], {
        directory,
        progress,
        print: (text) => {
          printed += text;
        },
      });
      const milliseconds = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(before);
      const { serverMs, databaseMs } = await time.stop();
      const entries = Number(/(\d+) entries/.exec(printed)?.[1]);
      const costs = [serverMs, databaseMs, (user + system) / 1000].map((ms) => (ms / entries).toFixed(3));
      const rate = Math.round((entries / milliseconds) * 1000);
      console.log(`| ${[rate, ...costs, (await memoryMb(process.pid)).toFixed(0)].join(' | ')} |`);
    }
    console.log(`Load ${await loadAverage()}.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
    await client.end();
    await service.stop();
  }
});
process.exit(0);
