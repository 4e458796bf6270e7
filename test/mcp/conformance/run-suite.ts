import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { listen, type Endpoint } from './fixture-endpoint.js';

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

interface SuiteChoice {
  /** The file of the suite's command. */
  readonly command: string;
  readonly options: readonly string[];
}

const allScenarios: SuiteChoice = { command, options: ['--suite', 'all'] };

/** Runs scenarios of the conformance suite against a server, in one process. */
export async function runSuite(url: string, suite = allScenarios): Promise<SuiteReport> {
  const child = spawn(process.execPath, [suite.command, 'server', '--url', url, ...suite.options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return {
    passed: namesIn(printed, /^✓ ([\w-]+): \d+ passed, 0 failed/gm),
    failed: namesIn(printed, /^✗ ([\w-]+): /gm),
    output: printed + errors,
  };
}

/** The suite cannot send a key, so a proxy adds it. */
export function withKey(target: URL, key: string): Promise<Endpoint> {
  return listen((received, response) => {
    const headers = { ...received.headers, authorization: `Bearer ${key}` };
    const forwarded = send(target, { method: received.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.once('close', () => forwarded.destroy());
    forwarded.once('error', () => response.destroy());
    received.pipe(forwarded);
  });
}
