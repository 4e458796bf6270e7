import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const command = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

export interface SuiteReport {
  /** Names of the scenarios without a failed check. */
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** Everything the suite printed. */
  readonly output: string;
}

const namesIn = (output: string, pattern: RegExp): ReadonlySet<string> =>
  new Set(Array.from(output.matchAll(pattern), ([, name = '']) => name));

/** Runs all scenarios of the conformance suite against a server, in one process. */
export async function runSuite(url: string): Promise<SuiteReport> {
  const child = spawn(process.execPath, [command, 'server', '--url', url, '--suite', 'all'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return {
    passed: namesIn(printed, /^✓ ([\w-]+): \d+ passed, 0 failed/gm),
    failed: namesIn(printed, /^✗ ([\w-]+): /gm),
    output: printed + errors,
  };
}
