import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../command-line.js';
import {
  buildGeneratedFiles,
  contentOf,
  staleFiles,
  settingsPage,
  withSettingsTable,
} from '../generate/generated-files.js';

const help = `
Usage: npm run generate [-- --check]

Writes the files that follow from the contracts, the settings and the migration steps.

  --check  only name the files that are stale; exits with 1 if there are any
`;

/** With `--check`, stale files are reported instead of written. */
async function main(options: readonly string[]): Promise<void> {
  const root = process.cwd();
  const files = await buildGeneratedFiles(root);
  const page = await contentOf(path.join(root, settingsPage));
  if (page !== undefined) files.set(settingsPage, withSettingsTable(page));
  const stale = await staleFiles(root, files);
  if (options.includes('--check')) {
    for (const name of stale) console.error(`${name} is stale. Run npm run generate`);
    if (stale.length > 0) process.exitCode = 1;
    return;
  }
  for (const name of stale) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, files.get(name) ?? '');
    console.log(`${name} written`);
  }
}

runCommand(help, () => main(process.argv.slice(2)));
