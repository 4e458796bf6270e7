import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runSuite, withKey, type SuiteReport } from '../mcp/conformance/run-suite.js';
import { useApp } from '../support/desk.js';
import { createProject } from '../support/factories/project.js';
import { withNpmPackages } from '../support/installed-packages.js';
import { verifies } from '../support/verifies.js';

const REVISION = '2026-07-28';
const folder = await withNpmPackages(path.join(import.meta.dirname, 'conformance'));

/** Scenarios that the revision requires and that need no tools, resources or prompts of a fixture. */
const scenarios = [
  'caching',
  'dns-rebinding-protection',
  'http-header-validation',
  'input-required-result-unsupported-methods',
  'prompts-list',
  'resources-list',
  'sep-2164-resource-not-found',
  'server-sse-multiple-streams',
  'tools-list',
];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly details?: { readonly untestable?: boolean };
}

const app = useApp();

(folder === undefined ? describe.skip : describe)('The MCP conformance suite 0.2 (needs its package)', () => {
  verifies('mcp/transport');
  let report: SuiteReport;

  beforeAll(async () => {
    const project = await createProject(app());
    const product = await withKey(
      new URL(`${app().baseUrl}/api/mcp/${project.slug}`),
      project.keys.management,
    );
    report = await runSuite(product.url, {
      command: path.join(folder!, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
      options: ['--requirements', REVISION, '--output-dir', path.join(folder!, 'results')],
    });
    await product.close();
  }, 300_000);
  afterAll(() => rm(folder!, { recursive: true, force: true }));

  it.each(scenarios)('passes scenario %s of revision 2026-07-28 against the service', (scenario) => {
    expect(report.passed.has(scenario) ? '' : report.output).toBe('');
  });

  it('passes every check without state that needs no tool of a fixture', () => {
    const [file = ''] = globSync('results/*server-stateless*/checks.json', { cwd: folder! });
    const checks = JSON.parse(readFileSync(path.join(folder!, file), 'utf8')) as Check[];
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    expect(failed.filter(({ details }) => details?.untestable !== true)).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(failed.length);
  });

  it('fails a scenario that the service does not support', () => {
    expect(report.failed).toContain('tools-call-simple-text');
    expect(report.passed).not.toContain('tools-call-simple-text');
  });
});
