import process from 'node:process';
import { loadDemo, type DemoOptions } from './load-demo.js';
import { welcome } from './welcome.js';

/** @returns the keys that the pages for people may fill in */
export async function showDemo(
  options: DemoOptions,
): Promise<{ project: string; reference: string; explorer: string }> {
  const credentials = await loadDemo(options);
  process.stdout.write(welcome(credentials));
  const { management, preview } = credentials.keys;
  return { project: credentials.projectSlug, reference: management, explorer: preview };
}
