// `npm run build:admin`: builds the admin app alone, to be served by any web server. `npm run build` includes it.
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import config from './vite.config.js';

/** Of JavaScript that is loaded before anything is shown. */
const INITIAL_BYTES = 250 * 1024;

/** The entry with everything that it imports statically. */
function initialBytes(output) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const initial = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const chunk of initial)
    for (const name of chunk.imports) if (chunks.has(name)) initial.add(chunks.get(name));
  return [...initial].reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

/** React and the app are built for production whatever the environment of the caller is, such as that of a test. */
async function inProduction(work) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/**
 * @returns the size of the JavaScript that is loaded first
 * @throws Error if the browser would load more than it may
 */
export async function buildAdmin(directory) {
  const { build } = await import('vite');
  const { output } = await inProduction(() =>
    build({ ...config, configFile: false, logLevel: 'error', build: { ...config.build, outDir: directory } }),
  );
  const bytes = initialBytes(output);
  if (bytes > INITIAL_BYTES)
    throw new Error(`The admin app loads ${bytes} bytes of JavaScript first, more than ${INITIAL_BYTES}.`);
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = config.build.outDir;
  buildAdmin(directory)
    .then((bytes) => process.stdout.write(`${directory}: ${bytes} bytes of JavaScript at first\n`))
    .catch((error) => {
      process.stderr.write(`headwater: ${error.message}\n`);
      process.exitCode = 1;
    });
}
