// Loaded before everything else (`node --import`): writes a line for every package of which a module is loaded.
import { registerHooks } from 'node:module';
import process from 'node:process';

const named = new Set();

registerHooks({
  load(url, context, nextLoad) {
    const name = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    if (name !== undefined && !named.has(name)) {
      named.add(name);
      process.stdout.write(`${JSON.stringify({ loaded: name })}\n`);
    }
    return nextLoad(url, context);
  },
});
