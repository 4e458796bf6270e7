import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const command = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

export interface ScenarioResult {
  readonly passed: boolean;
  /** Everything the scenario printed. */
  readonly report: string;
}

/** Runs one scenario of the conformance suite against a server. */
export function runScenario(scenario: string, url: string): Promise<ScenarioResult> {
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
