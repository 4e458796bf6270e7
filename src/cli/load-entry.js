// Loads a build with Node's compile cache. Copied unchanged into each build.
import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const placeOf = (name) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/**
 * Node runs what is stored, so only this user and root may write to the folder. Its parents are not made: below `/proc`,
 * Node would try that forever.
 */
function isSafe(place) {
  try {
    mkdirSync(place, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') return false;
  }
  try {
    const { uid, mode } = statSync(place);
    return process.getuid === undefined || ([0, process.getuid()].includes(uid) && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/**
 * Beside the build or, where that is read-only and stores nothing for this user, in the data directory. Child processes
 * use the same one.
 */
function cacheCode() {
  const { NODE_COMPILE_CACHE: configured, HEADWATER_DATA_DIR: data } = process.env;
  // Node itself has enabled it.
  if (configured) return;
  const places = [placeOf('compile-cache'), ...(data ? [path.resolve(data, 'compile-cache')] : [])];
  const used = places.find((place) => isSafe(place) && enableCompileCache(place).directory !== undefined);
  if (used !== undefined) process.env.NODE_COMPILE_CACHE = used;
}

/**
 * Child processes also run this build, even when another one has been made since.
 * @param name of the entry
 */
export async function loadEntry(name) {
  cacheCode();
  process.argv[1] = placeOf(`${name}.js`);
  await import(`./${name}.js`);
}
