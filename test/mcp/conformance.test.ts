import { beforeAll, describe, expect, it } from '@jest/globals';
import { createProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { serveFixture } from './conformance/fixture-endpoint.js';
import { runSuite, withKey, type SuiteReport } from './conformance/run-suite.js';
import { useApp } from '../support/desk.js';

/** Scenarios that apply to any server. */
const general = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
  'server-sse-polling',
  'server-sse-multiple-streams',
];

/** Scenarios that need the suite's own tools, resources and prompts. */
const specific = [
  'logging-set-level',
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

const app = useApp();
let ofProduct: SuiteReport;
let ofFixture: SuiteReport;

beforeAll(async () => {
  const project = await createProject(app());
  const product = await withKey(new URL(`${app().baseUrl}/api/mcp/${project.slug}`), project.keys.management);
  const fixture = await serveFixture();
  [ofProduct, ofFixture] = await Promise.all([runSuite(product.url), runSuite(fixture.url)]);
  await Promise.all([product.close(), fixture.close()]);
}, 120_000);

const verdict = ({ passed, output }: SuiteReport, scenario: string): string =>
  passed.has(scenario) ? '' : output;

describe('The MCP conformance suite', () => {
  verifies('mcp/transport');

  it.each(general)('passes scenario %s against the service', (scenario) => {
    expect(verdict(ofProduct, scenario)).toBe('');
  });

  it('fails a scenario that the service does not support', () => {
    expect(ofProduct.failed).toContain('tools-call-simple-text');
    expect(ofProduct.passed).not.toContain('tools-call-simple-text');
  });

  it.each([...general, ...specific])(
    'passes scenario %s against the fixture server on the same transport',
    (scenario) => {
      expect(verdict(ofFixture, scenario)).toBe('');
    },
  );
});
