import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import JestRuntime from 'jest-runtime';

const root = new URL('../../', import.meta.url).href;
const sharedFile = /^(?!.*\.test\.ts$)(?:src|contracts|node_modules(?!\/(?:@jest|jest|expect)\b))\/[^?#]*$/;
const testModule = /^test\/(?:(?!\.test\.ts$)[^?#])*\.ts$/;

/** By URL: whether a module of `test/` uses jest, itself or through another one. */
const usesJest = new Map();

const relativeImport = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** An import names the compiled file. */
const sourceOf = (url) => {
  const source = url.replace(/\.js$/, '.ts');
  return existsSync(fileURLToPath(source)) ? source : url;
};

function isOfJest(url) {
  const known = usesJest.get(url);
  if (known !== undefined) return known;
  // Modules that import each other are looked at once.
  usesJest.set(url, false);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const imports = [...text.matchAll(relativeImport)]
    .map(([, name]) => sourceOf(new URL(name, url).href))
    .filter((imported) => testModule.test(imported.slice(root.length)));
  const found = text.includes("'@jest/globals'") || imports.some(isOfJest);
  usesJest.set(url, found);
  return found;
}

/** Jest and the modules of `test/` that use it hold the state of one file. */
const isShared = (url) => {
  if (!url.startsWith(root)) return false;
  const path = url.slice(root.length);
  return sharedFile.test(path) || (testModule.test(path) && !isOfJest(url));
};

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

/** Loads the modules of the product, of packages and of the tests' support once for all test files of a worker. */
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
