import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_MS = 400_000;

/** A temporary copy of a folder; undefined, and nothing left of it, where its packages cannot be installed. */
async function copied(
  from: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `headwater-${path.basename(from)}-`));
  await cp(from, folder, { recursive: true });
  try {
    await install(folder);
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
}

/** A copy of a folder with the packages of its `package.json`. */
export const withNpmPackages = (from: string): Promise<string | undefined> =>
  copied(from, (cwd) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd, timeout: INSTALL_MS }),
  );

/** A copy of a folder with `bin/python` and the packages of its `requirements.txt`. */
export const withPythonPackages = (from: string): Promise<string | undefined> =>
  copied(from, async (cwd) => {
    await run('python3', ['-m', 'venv', '.'], { cwd, timeout: INSTALL_MS });
    await run('bin/pip', ['install', '--quiet', '-r', 'requirements.txt'], { cwd, timeout: INSTALL_MS });
  });

/** Runs a goal of Maven's plugin for dependencies. */
const maven = (goal: string, cwd: string, ...options: readonly string[]) =>
  run('mvn', ['-q', '-B', `dependency:${goal}`, ...options], { cwd, timeout: INSTALL_MS });

/** A copy of a folder with the libraries of its `pom.xml` in `lib`. */
export const withMavenLibraries = (from: string): Promise<string | undefined> =>
  copied(from, (cwd) => maven('copy-dependencies', cwd, '-DoutputDirectory=lib'));

/** A folder with the file of a Maven artifact. */
export const withMavenArtifact = (from: string, artifact: string): Promise<string | undefined> =>
  copied(from, (cwd) => maven('copy', cwd, `-Dartifact=${artifact}`, `-DoutputDirectory=${cwd}`));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The package of the service, unpacked with the packages that it declares. */
export interface InstalledService {
  readonly directory: string;
  readonly manifest: Manifest;
  /** Its command. */
  readonly command: string;
}

/**
 * Makes the package from a tree of sources, and installs it in a folder. Only what it declares can be loaded by it; the
 * packages come from this checkout, so that no registry is needed.
 */
export async function installService(sources: string, folder: string): Promise<InstalledService> {
  const made = await run(process.execPath, ['src/cli/package.js', '--out', folder], { cwd: sources });
  await run('tar', ['-xzf', made.stdout.trim(), '-C', folder]);
  const directory = path.join(folder, 'package');
  const manifest = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) {
    const place = path.join(directory, 'node_modules', name);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(path.resolve('node_modules', name), place);
  }
  return { directory, manifest, command: path.join(directory, 'bin/headwater.js') };
}
