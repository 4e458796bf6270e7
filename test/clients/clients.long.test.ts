import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { withNpmPackages, withPythonPackages } from '../support/installed-packages.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import { createWebhook, openReceiver, type ReceivedCall } from '../management/webhooks/receiver.js';

const run = promisify(execFile);
const from = (folder: string) => path.join(import.meta.dirname, folder);
const javascript = await withNpmPackages(from('javascript'));
const python = await withPythonPackages(from('python'));
const secondMcp = await withPythonPackages(from('mcp'));

let app: TestApp;
let project: TestProject;
let webhook: { readonly secret: string; readonly call: ReceivedCall };

/** What a program of a client prints, in a process with the addresses and keys of the project. */
async function printed(command: string, file: string, cwd = ''): Promise<Record<string, unknown>> {
  const { slug, siteSlug, keys } = project;
  const { headers, body } = webhook.call;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NO_COLOR: '1',
    SERVICE: app.baseUrl,
    PROJECT: slug,
    SITE: siteSlug,
    GRAPHQL: `${app.baseUrl}/api/graphql/${slug}`,
    SCHEMA: `${app.baseUrl}/api/graphql/${slug}/schema.graphql`,
    MCP: `${app.baseUrl}/api/mcp/${slug}`,
    DELIVERY_KEY: keys.delivery,
    MANAGEMENT_KEY: keys.management,
    SECRET: webhook.secret,
    DELIVERY: JSON.stringify({ headers, body }),
  };
  const { stdout } = await run(command, [file], { cwd, env, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

const byNode = (file: string) => printed(process.execPath, file, javascript);
const byPython = (file: string) => printed('bin/python', file, python);

beforeAll(async () => {
  app = await startTestApp({ webhooks: { allowLoopback: true, pollMilliseconds: 50 } });
  project = await createProject(app);
  const fields = [{ apiName: 'title', type: 'text', required: true }];
  await createType(app, project, { apiName: 'article', isPage: true, fields });
  const receiver = await openReceiver();
  const { secret } = await createWebhook(app, project, { url: receiver.url, events: ['entry.published'] });
  for (const title of ['Alpha', 'Beta', 'Gamma']) {
    const { id } = await createEntry(app, project, {
      contentTypeApiName: 'article',
      slug: title.toLowerCase(),
      fields: { title },
    });
    await publish(app, project, id);
  }
  await app.composition.jobs.deliverWebhooks();
  const call = await waitFor('a webhook is delivered', () => receiver.calls.at(0));
  webhook = { secret, call: call! };
  await receiver.close();
});
afterAll(async () => {
  await app.close();
  for (const folder of [javascript, python, secondMcp])
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Tools of the default set that every adapter must offer. */
const someTools = expect.arrayContaining(['list_content_types', 'search_content', 'publish_entry']);

(javascript === undefined ? describe.skip : describe)('Clients in JavaScript (need their packages)', () => {
  verifies('graphql/get', 'graphql/persisted-queries', 'events/delivery-signed');

  it('urql reads over GET, and hashes that the service learns', async () => {
    expect(await byNode('urql.mjs')).toEqual({
      plain: ['Gamma', 'Beta'],
      persisted: [
        ['Gamma', 'Beta', 'Alpha'],
        ['Gamma', 'Beta', 'Alpha'],
      ],
      failing: 1,
      sent: [
        ['GET', 200],
        ['GET', 200],
        ['GET', 200],
        ['GET', 200],
        ['GET', 400],
      ],
    });
  });

  it('Apollo Client reads hashes over GET once they are known, and its cache', async () => {
    expect(await byNode('apollo.mjs')).toEqual({
      first: ['Gamma', 'Beta'],
      cached: ['Gamma', 'Beta'],
      other: ['Gamma', 'Beta'],
      failing: 'CombinedGraphQLErrors',
      sent: [
        ['GET', 200],
        ['POST', 200],
        ['GET', 200],
        ['GET', 200],
        ['POST', 400],
      ],
    });
  });

  it('the compiler of Relay takes the published schema', async () => {
    expect(await byNode('relay.mjs')).toEqual({
      artifacts: ['PageQuery.graphql.ts', 'Page_article.graphql.ts'],
      title: 'string | null | undefined',
    });
  });

  it('graphql-codegen makes types that a program compiles with, and that find a wrong field', async () => {
    expect(await byNode('codegen.mjs')).toEqual({ right: true, wrong: 'TS2339' });
  });

  it('openapi-typescript makes types for openapi-fetch, which reads and receives failures', async () => {
    expect(await byNode('openapi.mjs')).toEqual({
      right: true,
      wrong: 'TS2339',
      titles: ['Alpha', 'Beta'],
      error: 'content_type_not_found',
    });
  });

  it('the adapter of LangChain offers the tools and calls one', async () => {
    const { tools, types, failing } = await byNode('langchain.mjs');
    expect(tools).toEqual(someTools);
    expect(JSON.stringify(types)).toContain('article');
    expect(failing).toContain('content_type_not_found');
  });

  it('the library of Standard Webhooks verifies what was sent, and nothing else', async () => {
    expect(await byNode('webhooks.mjs')).toEqual({
      sent: 'entry.published',
      changed: 'WebhookVerificationError',
    });
  });
});

(python === undefined ? describe.skip : describe)('Clients in Python (need their packages)', () => {
  verifies('mcp/transport', 'events/delivery-signed');

  it('the MCP SDK lists tools and prompts, and calls a tool', async () => {
    const { tools, types, failing, prompts } = await byPython('mcp_client.py');
    expect(tools).toEqual(someTools);
    expect([types, failing]).toEqual([['article'], 'content_type_not_found']);
    expect(prompts).toEqual(expect.arrayContaining(['translate', 'audit_page', 'write_from_brief']));
  });

  it('the adapter of LangChain offers the tools and calls one', async () => {
    const { tools, types } = await byPython('langchain_client.py');
    expect(tools).toEqual(someTools);
    expect(types).toContain('article');
  });

  it('the library of Standard Webhooks verifies what was sent, and nothing else', async () => {
    expect(await byPython('webhooks.py')).toEqual({ sent: 'entry.published', changed: 'refused' });
  });
});

/** LangChain's adapter needs the first major version. */
(secondMcp === undefined ? describe.skip : describe)('The MCP SDK 2 for Python (needs its package)', () => {
  verifies('mcp/transport');

  it('finds revision 2026-07-28, lists tools and prompts, and calls a tool', async () => {
    const { revision, tools, types, failing, prompts } = await printed(
      'bin/python',
      'mcp_client.py',
      secondMcp,
    );
    expect(revision).toBe('2026-07-28');
    expect(tools).toEqual(someTools);
    expect([types, failing]).toEqual([['article'], 'content_type_not_found']);
    expect(prompts).toEqual(expect.arrayContaining(['translate', 'audit_page', 'write_from_brief']));
  });
});
