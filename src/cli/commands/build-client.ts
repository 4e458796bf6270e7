import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../command-line.js';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { version } from '../../process/config/config.js';
import { appRouter, boundOperations } from '../../procedures/index.js';
import { buildDeclarations } from '../client-package/declarations.js';

const readme = `# headwater-client

Types for TypeScript clients of headwater ${version}, and the command \`headwater types\`.

\`\`\`ts
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from 'headwater-client';

const client = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: 'https://cms.example/api/trpc', headers: { authorization: 'Bearer …' } })],
});
const { data } = await client.entries.list.query({ projectSlug: 'demo', status: ['draft'] });
\`\`\`

Shapes such as \`Entry\` and \`DeliveryEntry\` are exported by name, for tRPC and REST alike.
\`npx headwater types --help\` writes the types of a project's GraphQL schema.
`;

const manifest = {
  name: 'headwater-client',
  version,
  description: 'Types for TypeScript clients of headwater.',
  license: 'UNLICENSED',
  type: 'module',
  types: './index.d.ts',
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  bin: { headwater: './headwater.cjs' },
  files: ['index.d.ts', 'index.js', 'headwater.cjs'],
  engines: { node: '>=20' },
  peerDependencies: { '@trpc/server': '^11.25.0' },
};

/** The command with the libraries that it needs, so that the package has no dependencies. */
async function bundleCommand(root: string, file: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/client-package/headwater-client.ts'],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  await chmod(file, 0o755);
}

/**
 * Rebuilds the folder of the client package.
 * @param root the directory of package.json
 */
export async function buildClient(root: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const write = (name: string, content: string) => writeFile(path.join(folder, name), content);
  await write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  await write('index.d.ts', buildDeclarations(boundOperations(appRouter)));
  await write('index.js', 'export {};\n');
  await write('README.md', readme);
  await bundleCommand(root, path.join(folder, 'headwater.cjs'));
}

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
