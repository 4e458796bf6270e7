// `npm run build`: compiles the sources to JavaScript in `dist/`, unless what is there was made of these very sources.
//
// Plain JavaScript, because it runs before anything is compiled. `dist/<fingerprint>/` holds one build, made elsewhere
// and moved there whole; `dist/<entry>.js` leads to it. So builds at the same time do not disturb one another, and a
// process that runs still finds what it loads late after the sources have changed and were built again.
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Programs by their name in `dist/`. */
const entries = {
  main: 'src/main.ts',
  audit: 'src/cli/commands/audit.ts',
  'create-admin': 'src/cli/commands/create-admin.ts',
  generate: 'src/cli/commands/generate.ts',
  headwater: 'src/cli/commands/headwater.ts',
  import: 'src/cli/commands/import.ts',
  migrate: 'src/cli/commands/migrate.ts',
  rebuild: 'src/cli/commands/rebuild.ts',
  seed: 'src/cli/commands/seed.ts',
};

/** What a build is made of. */
const sources = ['contracts', 'src', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** Files that are read as they are, beside the code that reads them. */
const assets = { browser: 'src/surfaces/docs/browser' };

/** Builds that are left; processes of older ones are taken to have ended. */
const KEPT_BUILDS = 3;

const fingerprintForm = /^[0-9a-f]{16}$/;

async function filesBelow(root, name) {
  const place = path.join(root, name);
  if (!(await stat(place)).isDirectory()) return [name];
  const found = await readdir(place, { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile())
    .map((file) => path.relative(root, path.join(file.parentPath, file.name)));
}

/** Names all sources by their content: other sources, another name. */
async function fingerprintOf(root) {
  const files = (await Promise.all(sources.map((name) => filesBelow(root, name)))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(path.join(root, file))));
  const hash = createHash('sha256');
  files.forEach((file, index) => {
    hash.update(`${file}\0${contents[index].length}\0`).update(contents[index]);
  });
  return hash.digest('hex').slice(0, 16);
}

/** Written beside and moved, so that nobody ever reads half of it. */
async function replaceFile(file, text) {
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, text);
  await rename(made, file);
}

/**
 * Leads to a build. Code that node has compiled is kept beside it for the next start, also by the processes that
 * this one starts; those run the same build, whatever has been built meanwhile.
 */
const entryText = (name, fingerprint) => `// Made by npm run build.
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const placeOf = (name) => fileURLToPath(new URL(\`./${fingerprint}/\${name}\`, import.meta.url));
process.env.NODE_COMPILE_CACHE ??= placeOf('compile-cache');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
process.argv[1] = placeOf('${name}.js');
await import('./${fingerprint}/${name}.js');
`;

async function isCurrent(dist, fingerprint) {
  const texts = await Promise.all(
    Object.keys(entries).map((name) => readFile(path.join(dist, `${name}.js`), 'utf8').catch(() => '')),
  );
  const isThere = await stat(path.join(dist, fingerprint)).catch(() => undefined);
  return (
    isThere !== undefined &&
    Object.keys(entries).every((name, index) => texts[index] === entryText(name, fingerprint))
  );
}

async function compile(root, directory) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: directory,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    chunkNames: '[name]-[hash]',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const [name, from] of Object.entries(assets))
    await cp(path.join(root, from), path.join(directory, name), { recursive: true });
}

/** Makes a build and moves it to its place; where another process was quicker, its build is as good. */
async function makeBuild(root, dist, fingerprint) {
  const place = path.join(dist, fingerprint);
  if ((await stat(place).catch(() => undefined)) !== undefined) {
    await utimes(place, new Date(), new Date());
    return;
  }
  const making = path.join(dist, `making-${randomUUID()}`);
  try {
    await mkdir(making, { recursive: true });
    await compile(root, making);
    await rename(making, place).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function removeOldBuilds(dist) {
  const names = (await readdir(dist)).filter((name) => fingerprintForm.test(name));
  const builds = await Promise.all(
    names.map(async (name) => ({ name, madeAt: (await stat(path.join(dist, name))).mtimeMs })),
  );
  builds.sort((a, b) => b.madeAt - a.madeAt);
  for (const { name } of builds.slice(KEPT_BUILDS))
    await rm(path.join(dist, name), { recursive: true, force: true });
}

/**
 * Sees to it that `dist/` holds what the sources say.
 * @param root the directory of package.json
 * @returns whether anything had to be built
 */
export async function bringBuildUpToDate(root) {
  const dist = path.join(root, 'dist');
  const fingerprint = await fingerprintOf(root);
  if (await isCurrent(dist, fingerprint)) return false;
  try {
    await makeBuild(root, dist, fingerprint);
    for (const name of Object.keys(entries))
      await replaceFile(path.join(dist, `${name}.js`), entryText(name, fingerprint));
    await removeOldBuilds(dist);
  } catch (error) {
    const isReadOnly = error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM';
    if (!isReadOnly) throw error;
    throw new Error(
      `The sources are newer than ${dist}, which may not be written: run npm run build as its owner.`,
    );
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'));
  bringBuildUpToDate(root).catch((error) => {
    process.stderr.write(`headwater: ${error.message}\n`);
    process.exitCode = 1;
  });
}
