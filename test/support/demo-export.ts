import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { loadDemo } from '../../src/cli/demo/load-demo.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import type { LineFile, LineOf } from '../../src/cli/export/export-format.js';
import { ExportReader } from '../../src/cli/export/read-export.js';
import { openCliHost, type CliHost } from '../cli/cli-host.js';

export const silent = Object.assign(Object.create(process.stderr), {
  isTTY: false,
  write: () => true,
}) as typeof process.stderr;

/** A command of a test with its output or failure. */
export async function outputOf(
  command: (print: (text: string) => void) => Promise<unknown>,
): Promise<string> {
  let output = '';
  try {
    await command((text) => {
      output += text;
    });
  } catch (error) {
    output += (error as Error).message;
  }
  return output;
}

/** The lines of a file of an export. */
export async function linesOf<F extends LineFile>(place: string, file: F): Promise<LineOf<F>[]> {
  const reader = await ExportReader.open(place);
  const lines: LineOf<F>[] = [];
  for await (const { value } of reader.lines(file)) lines.push(value);
  await reader.close();
  return lines;
}

interface DemoExport {
  readonly host: CliHost;
  readonly client: RestOperations;
  /** Session of a super-admin. */
  readonly key: string;
  /** Where the command runs. */
  readonly folder: string;
  /** A whole export with history. */
  readonly sample: string;
  /** @returns what the command prints, or its failure */
  run(out: string, ...options: readonly string[]): Promise<string>;
}

/** The demo of a service, and an export of it. */
export function useDemoExport(): () => DemoExport {
  let current: DemoExport | undefined;
  beforeAll(async () => {
    const host = await openCliHost();
    const { composition, dataDirectory, baseUrl } = host;
    const { superAdmin } = await loadDemo({ composition, dataDirectory, baseUrl });
    const { data } = await new RestOperations(baseUrl, '').call('sessions', 'login', superAdmin);
    if ('secondFactor' in data) throw new Error('The demo has no second factor.');
    const key = data.accessToken;
    const folder = await mkdtemp(path.join(tmpdir(), 'headwater-demo-'));
    const run = (out: string, ...options: readonly string[]): Promise<string> => {
      const args = ['--url', baseUrl, '--key', key, '--project', 'demo', '--out', out, ...options];
      return outputOf((print) => runExportCommand(args, { directory: folder, print, progress: silent }));
    };
    await run('sample', '--history');
    const client = new RestOperations(baseUrl, key);
    current = { host, client, key, folder, sample: path.join(folder, 'sample'), run };
  }, 120_000);
  afterAll(async () => {
    await current?.host.close();
    if (current !== undefined) await rm(current.folder, { recursive: true, force: true });
  });
  return () => {
    if (current === undefined) throw new Error('The demo is there inside tests only.');
    return current;
  };
}
