import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const command = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

/** What the protocol's conformance suite says of one scenario. */
export interface Verdict {
  readonly passed: boolean;
  /** Everything it printed. */
  readonly report: string;
}

/** Plays one scenario of the suite against a server. */
export function playScenario(scenario: string, url: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, 'server', '--url', url, '--scenario', scenario], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let report = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        report += text;
      });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ passed: code === 0, report });
    });
  });
}
