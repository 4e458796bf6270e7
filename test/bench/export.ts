import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { runImportCommand } from '../../src/cli/import/exports/import-command.js';
import { loadAverage, memoryMb } from './processes.js';
import { ProcessorTime } from './processor-time.js';
import { withDatabase } from './scratch-database.js';
import { makeProject, withOperations } from './seed/open-service.js';
import { seedContent } from './seed-content.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Rows of the table that is imported. */
    rows: { type: 'string', default: '5000' },
  },
});

/** A row with 2 KB of text. */
const rowOf = (number: number): string =>
  JSON.stringify({
    id: `row-${String(number)}`,
    title: `Row ${String(number)}`,
    body: `${String(number)} sluices. `.repeat(130),
  });

interface Console {
  readonly directory: string;
  readonly progress: PassThrough;
  print(text: string): void;
}

/** A command whose output names its number of entries. */
type Command = (console: Console) => Promise<unknown>;

async function measure(
  name: string,
  { command, count }: { command: Command; count: RegExp },
  measured: { directory: string; pid: number; client: pg.Client },
): Promise<void> {
  const { directory, pid, client } = measured;
  const time = new ProcessorTime(pid, client);
  await time.start();
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  let printed = '';
  const print = (text: string): void => {
    printed += text;
  };
  await command({ directory, progress: new PassThrough().resume(), print });
  const milliseconds = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  const { serverMs, databaseMs } = await time.stop();
  const entries = Number(count.exec(printed)?.[1]?.replaceAll(',', ''));
  if (!(entries > 0)) throw new Error(`${name}: ${printed}`);
  const costs = [serverMs, databaseMs, (user + system) / 1000].map((ms) => (ms / entries).toFixed(3));
  const rate = Math.round((entries / milliseconds) * 1000);
  console.log(`| ${[name, entries, rate, ...costs, (await memoryMb(process.pid)).toFixed(0)].join(' | ')} |`);
}

await withDatabase(async ({ url }) => {
  const { managementKey = '' } = await seedContent(url);
  const keyOf = (slug: string): Promise<string> =>
    withOperations(url, async (client) => (await makeProject(client, { slug }, [])).keys.management);
  const service = await startService(url, { CONCURRENCY_LIMIT: '200' }, true);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-export-'));
  const measured = { directory, client, pid: service.pid };
  const connection = (key: string): string[] => ['--url', service.url, '--key', key];
  const table = path.join(directory, 'rows.jsonl');
  await writeFile(table, Array.from({ length: Number(flags.rows) }, (_, row) => rowOf(row)).join('\n'));
  try {
    console.log(
      '| What | Entries | A second | Service CPU ms each | Database | Command | MB of the command |',
    );
    console.log('| :--- | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      const name = `round-${String(round)}`;
      const exporting: Command = (output) =>
        runExportCommand([...connection(managementKey), '--project', 'bench', '--out', name], output);
      await measure('export', { command: exporting, count: /(\d+) entries/ }, measured);
      const [copy, rows] = [`copy-${String(round)}`, `rows-${String(round)}`];
      const copyKey = await keyOf(copy);
      const importing: Command = (output) =>
        runProjectImport([name, ...connection(copyKey), '--into', copy], output);
      await measure('import project', { command: importing, count: /entry\s+([\d,]+)/ }, measured);
      const rowsKey = await keyOf(rows);
      const reading: Command = (output) =>
        runImportCommand(
          ['jsonl', table, ...connection(rowsKey), '--project', rows, '--type', 'part'],
          output,
        );
      await measure('import jsonl', { command: reading, count: /entry\s+([\d,]+)/ }, measured);
    }
    console.log(`Load ${await loadAverage()}.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
    await client.end();
    await service.stop();
  }
});
process.exit(0);
