import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildClient } from '../client-package/build-client.js';
import { runCommand, UsageError } from '../command-line.js';

const help = `
Usage: npm run build:client -- [<folder>]

Makes the package headwater-client for TypeScript clients in a folder, by default dist/client; npm pack turns it into
one file. It has the type AppRouter, the shapes of delivery and management, and the command headwater types.
`;

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder = 'dist/client', ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('Name one folder.');
  await buildClient(process.cwd(), path.resolve(folder));
  console.log(`Client package written to ${folder}: npm pack ./${folder} makes one file of it.`);
}

runCommand(help, main);
