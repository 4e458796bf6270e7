import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { BoundOperation } from '../../src/procedures/index.js';
import { Agents, useTool } from '../mcp/agents.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { must, send } from '../support/call.js';
import { exampleOf, operations, restCall } from '../support/operations.js';
import { openScene, type Scene } from '../support/scene.js';
import { verifies } from '../support/verifies.js';

/** A limited key and its MCP client. */
interface Limited {
  readonly secret: string;
  readonly client: Client;
}

let app: TestApp;
let scene: Scene;
let agents: Agents;
let drafts: Limited;
let elsewhere: Limited;

async function limitedKey(limits: object): Promise<Limited> {
  const secret = await agents.newKey({ type: 'management', ...limits });
  return { secret, client: await agents.connect(secret) };
}

beforeAll(async () => {
  app = await startTestApp();
  scene = await openScene(app);
  const { project } = scene;
  agents = new Agents(app, project);
  const site = await must(app, {
    method: 'POST',
    path: `${project.management}/sites`,
    key: project.keys.management,
    body: { slug: 'elsewhere', name: 'Elsewhere' },
  });
  drafts = await limitedKey({ draftOnly: true });
  elsewhere = await limitedKey({ siteIds: [site.id] });
});

afterAll(async () => {
  await agents.close();
  await app.close();
});

const mutations = operations.filter(
  ({ kind, meta }) => kind === 'mutation' && meta.audience === 'management' && meta.action !== 'read',
);

/** Whether the example changes a draft, which a draft-only key may do. */
const isDraftWork = ({ meta: { resource, action } }: BoundOperation): boolean =>
  resource === 'entries' && ['create', 'update', 'delete'].includes(action);

interface Envelope {
  readonly error?: string;
  readonly data?: { readonly results?: readonly Envelope[]; readonly errors?: readonly { code: string }[] };
}

/** The error of the call; of its items if all were refused. */
function failureOf({ error, data }: Envelope): string | undefined {
  if (error !== undefined) return error;
  const items = data?.results?.map((item) => item.error) ?? data?.errors?.map(({ code }) => code) ?? [];
  return new Set(items).size === 1 ? items[0] : undefined;
}

async function overRest(operation: BoundOperation, { secret }: Limited): Promise<string | undefined> {
  if (operation.meta.openapi === undefined) throw new Error(`${operation.name} is not served on REST`);
  const call = restCall(operation.meta.openapi, await exampleOf(operation)(scene));
  return failureOf((await send(app, { ...call, key: secret })).body as Envelope);
}

async function overTrpc(operation: BoundOperation, { secret }: Limited): Promise<string | undefined> {
  const body = await exampleOf(operation)(scene);
  const path = `/api/trpc/${operation.name}`;
  const answer = (await send(app, { method: 'POST', path, body, key: secret })).body as {
    error?: { data: Envelope };
    result?: { data: Envelope };
  };
  const envelope = answer.error?.data ?? answer.result?.data;
  if (envelope === undefined) throw new Error(`${operation.name} has no tRPC response`);
  return failureOf(envelope);
}

async function overMcp(operation: BoundOperation, { client }: Limited): Promise<string | undefined> {
  const { projectSlug: _project, ...input } = await exampleOf(operation)(scene);
  const reply = await useTool(client, operation.meta.mcp?.tool ?? '', input);
  return failureOf(reply.structuredContent as Envelope);
}

/** Failures by surface. */
async function replay(operation: BoundOperation, key: Limited): Promise<Record<string, string | undefined>> {
  return {
    rest: await overRest(operation, key),
    trpc: await overTrpc(operation, key),
    ...(operation.meta.mcp !== undefined && { mcp: await overMcp(operation, key) }),
  };
}

const everywhere = (operation: BoundOperation, isRefused: boolean): Record<string, string | undefined> => ({
  rest: isRefused ? 'permission_denied' : undefined,
  trpc: isRefused ? 'permission_denied' : undefined,
  ...(operation.meta.mcp !== undefined && { mcp: isRefused ? 'api_key_permission_denied' : undefined }),
});

describe.each(mutations)('$name with a limited key', (operation) => {
  verifies('dec-3.12-limits', 'dec-2.30-sites', 'dec-2.4-bounds');

  it('is refused to a draft-only key unless it changes a draft', async () => {
    expect(await replay(operation, drafts)).toEqual(everywhere(operation, !isDraftWork(operation)));
  });

  it('is refused to a key of another site', async () => {
    expect(await replay(operation, elsewhere)).toEqual(everywhere(operation, true));
  });
});
