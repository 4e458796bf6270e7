// `npm run bench -- admin`: how fast the admin app is in headless Chromium.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openBrowser } from '../../support/browser.js';
import { hasBrowser } from '../../support/optional-servers.js';
import { loadAverage } from '../processes.js';
import { startDemo } from './demo-service.js';
import { firstViews, initialScripts } from './first-list.js';
import { keystrokes, pageKeystrokes } from './keystrokes.js';
import { scrolling } from './scrolling.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    keys: { type: 'string', default: '100' },
    entries: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '5000' },
  },
});

const row = (...cells: string[]): void => {
  console.log(`| ${cells.join(' | ')} |`);
};
const ms = (value: number): string => `${value.toFixed(1)} ms`;

async function bench(): Promise<void> {
  const demo = await startDemo();
  const browser = await openBrowser();
  try {
    row('Admin app', 'Measured', 'Target');
    row('---', '---:', '---:');
    const kilobytes = (await initialScripts(demo, browser)) / 1024;
    row('JavaScript before anything is shown, gzip', `${kilobytes.toFixed(0)} KB`, '≤ 250 KB');
    const rounds = Number(flags.rounds);
    const { list, entry } = await firstViews(demo, browser, { rounds, slowdown: 1 });
    row('First list and entry of the demo, empty cache, medians', `${ms(list)}, ${ms(entry)}`, '≤ 1500 ms');
    const slowed = await firstViews(demo, browser, { rounds, slowdown: 4 });
    row(
      'The same on a processor of a quarter of the speed',
      `${ms(slowed.list)}, ${ms(slowed.entry)}`,
      '≤ 2000 ms',
    );
    const { work, idle } = await keystrokes(demo, browser, Number(flags.keys));
    row('Keystroke in 100 KB of rich text, median', ms(work - idle), '≤ 16 ms');
    const typed = await pageKeystrokes(demo, browser, Number(flags.keys));
    for (const [name, { p50, p95, inputs }] of Object.entries(typed))
      row(
        `Key to drawn in the title, ${name} page, p50 and p95`,
        `${ms(p50)}, ${ms(p95)}`,
        `${String(inputs)} inputs`,
      );
    row(
      'p95 of 200 KB and 300 blocks to that of the empty page',
      (typed.large.p95 / typed.empty.p95).toFixed(2),
      '≤ 1.2',
    );
    const [count, rows] = [Number(flags.entries), Number(flags.rows)];
    const scrolled = await scrolling(demo, browser, { count, rows });
    const { seconds, medianFrame, slowFrame, requests, rowsInPage } = scrolled;
    row(`Scrolling through ${String(rows)} of ${String(count)} entries`, `${seconds.toFixed(1)} s`, '');
    row('Frame while scrolling, median and 99th percentile', `${ms(medianFrame)}, ${ms(slowFrame)}`, '');
    row('Requests while scrolling', String(requests), '');
    row('Most rows in the page', String(rowsInPage), '');
  } finally {
    await browser.close();
    await demo.stop();
  }
}

if (hasBrowser) {
  await bench();
  console.log(`\nLoad ${await loadAverage()}.`);
} else console.log('Skipped: no Chromium. Install it, or set CHROMIUM to its path.');
process.exit(0);
