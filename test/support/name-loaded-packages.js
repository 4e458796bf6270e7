// Loaded before everything else (`node --import`): writes a line for every package of which a module is loaded. A file
// of the build names what it contains in comments.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const named = new Set();
const part = /^\/\/ (?:.*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm;

/** @param {string} url @returns {string[]} */
function packagesOf(url) {
  const installed = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (installed !== undefined) return [installed];
  if (!/^file:.*\/dist\/.*\.js$/.test(url)) return [];
  return [...readFileSync(fileURLToPath(url), 'utf8').matchAll(part)].map(([, name]) => name ?? '');
}

registerHooks({
  load(url, context, nextLoad) {
    for (const name of packagesOf(url)) {
      if (named.has(name)) continue;
      named.add(name);
      process.stdout.write(`${JSON.stringify({ loaded: name })}\n`);
    }
    return nextLoad(url, context);
  },
});
