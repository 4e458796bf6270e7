import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { newLogin, openAdminSession } from '../../src/cli/client/admin-session.js';
import { importPages } from '../../src/cli/import/import-pages.js';
import type { PageLine } from '../../src/cli/import/read-lines.js';
import { migrateUp } from '../../src/persistence/migrations/migrator.js';
import { compose, type Composition } from '../../src/process/compose.js';
import { scratchDatabase } from './growth/databases.js';
import { options } from './growth/stage.js';
import { memoryMb } from './processes.js';

const { values: flags } = parseArgs({
  options: {
    /** A file of `npm run import`; generated pages if unset. */
    file: { type: 'string' },
    pages: { type: 'string', default: '160' },
    rounds: { type: 'string', default: '3' },
  },
});
const locales = ['en', 'de', 'fr', 'it', 'es', 'nl', 'pt', 'pl', 'cs', 'da'];
const BRANCH = 8;
const quiet = { start: () => undefined, advance: () => undefined, stop: () => undefined };

/** About 1.5 KB, with lists, code, marks and links; every sixth page has a table. */
function htmlOf(page: number, locale: string): string {
  const sentence = `Page ${String(page)} in ${locale} says how the <em>sluice</em> is opened and <strong>when</strong> it is not. `;
  const item = `<li><p>Turn the wheel <code>${String(page)}</code> times, see <a href="https://example.org/${String(page)}">the manual</a>.</p></li>`;
  const row = '<tr><td><p>Morning</p></td><td><p>open</p></td><td><p>2.4 m</p></td></tr>';
  const table = page % 6 === 0 ? `<table><tbody>${row.repeat(20)}</tbody></table>` : '';
  return `<p>${sentence.repeat(4)}</p><h2>Steps</h2><ul>${item.repeat(4)}</ul><pre>sluice --open ${String(page)}</pre><p>${sentence.repeat(3)}</p>${table}`;
}

/** A tree of pages in ten locales. */
function generate(pages: number): string {
  const lines = Array.from({ length: pages }, (_, page) =>
    locales.map((locale): PageLine => {
      const key = (number: number): string => `page-${String(number)}`;
      const parent = page < BRANCH ? null : key(Math.floor(page / BRANCH) - 1);
      const place = { key: key(page), parent, position: page % BRANCH, locale };
      const links = [key((page * 7) % pages), key((page * 13) % pages)];
      const title = `Page ${String(page)} (${locale})`;
      return {
        ...place,
        slug: `${locale}-${key(page)}`,
        title,
        html: htmlOf(page, locale),
        links,
        images: [],
      };
    }),
  );
  return lines
    .flat()
    .map((line) => JSON.stringify(line))
    .join('\n');
}

async function run(composition: Composition, file: string, project: string): Promise<string> {
  const keep = () => Promise.resolve();
  const { client } = await openAdminSession({
    host: composition,
    command: 'bench',
    login: newLogin(project),
    keep,
  });
  const destination = { project, site: 'main' };
  const cells: string[] = [];
  for (const kind of ['first', 'second']) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    const report = await importPages({
      client,
      file,
      destination,
      isPublishing: true,
      concurrency: 4,
      progress: quiet,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    if (report.problems.size > 0) throw new Error([...report.problems.values()][0]);
    const { created, updated, unchanged } = report.versions;
    const versions = created + updated + unchanged;
    if (kind === 'second' && unchanged !== versions) throw new Error('The second run changed something');
    const { user, system } = process.cpuUsage(before);
    cells.push((versions / seconds).toFixed(0), ((user + system) / 1000 / versions).toFixed(2));
  }
  return `| ${[...cells, (await memoryMb(process.pid)).toFixed(0)].join(' | ')} |`;
}

const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-import-'));
const database = await scratchDatabase('import');
try {
  await migrateUp({ url: database.url });
  const file = flags.file ?? path.join(directory, 'generated.jsonl');
  if (flags.file === undefined) await writeFile(file, generate(Number(flags.pages)));
  const composition = await compose(options(database.url));
  try {
    console.log('| Locale versions a second | CPU ms each | again, unchanged | CPU ms each | MB |');
    console.log('| ---: | ---: | ---: | ---: | ---: |');
    for (let round = 0; round < Number(flags.rounds); round += 1)
      console.log(await run(composition, file, `import-${String(round)}`));
  } finally {
    await composition.close();
  }
} finally {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(0);
