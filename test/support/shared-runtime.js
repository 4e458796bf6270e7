import { fileURLToPath } from 'node:url';
import JestRuntime from 'jest-runtime';

const root = new URL('../../', import.meta.url).href;
const sharedFile = /^(?:src|contracts|node_modules(?!\/(?:@jest|jest|expect)\b))\/[^?#]*$/;

/** Modules of `test/` are not shared, nor are those of jest, which hold the state of one file. */
const isShared = (url) => url.startsWith(root) && sharedFile.test(url.slice(root.length));

/** Loads the shared modules of the worker, and is never torn down. */
let library;

function load(url) {
  const path = fileURLToPath(url);
  const { esmLoader } = library;
  const module =
    path.endsWith('.json') || library.unstable_shouldLoadAsEsm(path)
      ? esmLoader.tryLoadGraphSync(path, '', 'sync-preferred')
      : esmLoader.loadCjsAsEsm(path, path, '', esmLoader.getContext());
  // A module that cannot be loaded at once belongs to the test file.
  return module.status === 'evaluated' ? module : undefined;
}

/** The ES modules of one test file, and those of the worker. */
class ModulesOfFile extends Map {
  get(url) {
    return super.get(url) ?? (isShared(url) ? load(url) : undefined);
  }
}

/** Loads the modules of the product and of packages once for all test files of a worker. */
export default class SharedRuntime extends JestRuntime {
  constructor(...given) {
    super(...given);
    const [config, environment, resolver, transformer, , ...rest] = given;
    library ??= new JestRuntime(config, environment, resolver, transformer, new Map(), ...rest);
    // Watch mode must see changed files, and coverage is counted for each file.
    const { watch, watchAll, collectCoverage } = given.at(-1);
    if (watch || watchAll || collectCoverage) return;
    this.registries.esModuleRegistry = new ModulesOfFile();
    this.transformCache.sourceMaps = library.transformCache.sourceMaps;
  }
}
