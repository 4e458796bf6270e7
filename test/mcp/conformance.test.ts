import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as send } from 'node:http';
import { startTestApp, type TestApp } from '../support/app.js';
import { createProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { listen, serveFixture, type Endpoint } from './conformance/fixture-endpoint.js';
import { runScenario } from './conformance/run-suite.js';

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

/** The suite cannot send a key, so a proxy adds it. */
function withKey(target: URL, key: string): Promise<Endpoint> {
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

let app: TestApp;
let product: Endpoint;
let fixture: Endpoint;

beforeAll(async () => {
  app = await startTestApp();
  const project = await createProject(app);
  product = await withKey(new URL(`${app.baseUrl}/api/mcp/${project.slug}`), project.keys.management);
  fixture = await serveFixture();
});

afterAll(async () => {
  await Promise.all([product.close(), fixture.close()]);
  await app.close();
});

describe('The MCP conformance suite', () => {
  verifies('spec-4.4-transport');

  it.each(general)('passes scenario %s against the service', async (scenario) => {
    const { passed, report } = await runScenario(scenario, product.url);
    expect(passed ? '' : report).toBe('');
  });

  it('fails a scenario that the service does not support', async () => {
    const { passed } = await runScenario('tools-call-simple-text', product.url);
    expect(passed).toBe(false);
  });

  it.each([...general, ...specific])(
    'passes scenario %s against the fixture server on the same transport',
    async (scenario) => {
      const { passed, report } = await runScenario(scenario, fixture.url);
      expect(passed ? '' : report).toBe('');
    },
  );
});
