import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ToolMeta } from '../../contracts/metadata.js';
import type { BoundOperation } from '../../src/procedures/index.js';
import { Agents, useTool } from '../mcp/agents.js';
import { must, send } from '../support/call.js';
import { exampleOf, operations, restCall } from '../support/operations.js';
import { openScene, type Example, type Scene } from '../support/scene.js';
import { watchOutside, type State } from '../support/state-outside.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';
import { isLongRun } from '../support/extent.js';

/** A limited key and its MCP client. */
interface Limited {
  readonly secret: string;
  readonly client: Client;
}

const app = useOwnApp();
let scene: Scene;
let agents: Agents;
let drafts: Limited;
let elsewhere: Limited;
/** Bound to an environment that has nothing of the examples. */
let branch: Limited & { stateOutside(): Promise<State> };

async function limitedKey(limits: object): Promise<Limited> {
  const secret = await agents.newKey({ type: 'management', ...limits });
  return { secret, client: await agents.connect(secret) };
}

/** Environments cannot be created through the API. */
async function keyOfNewEnvironment(): Promise<typeof branch> {
  const { tenantId, projectId } = scene.project;
  const environmentId = randomUUID();
  await app().rows(
    tenantId,
    `INSERT INTO environments (tenant_id, project_id, id, slug, name, is_default, is_protected, created_at, updated_at)
     VALUES ($1, $2, $3, 'branch', 'Branch', false, false, now(), now())`,
    [tenantId, projectId, environmentId],
  );
  const secret = await agents.newKey({ type: 'management', environment: 'main', name: 'Branch' });
  await app().rows(tenantId, "UPDATE api_keys SET environment_id = $1 WHERE name = 'Branch'", [
    environmentId,
  ]);
  const stateOutside = await watchOutside(app(), environmentId);
  return { secret, client: await agents.connect(secret), stateOutside };
}

beforeAll(async () => {
  scene = await openScene(app());
  const { project } = scene;
  agents = new Agents(app(), project);
  const site = await must(app(), {
    method: 'POST',
    path: `${project.management}/sites`,
    key: project.keys.management,
    body: { slug: 'elsewhere', name: 'Elsewhere' },
  });
  drafts = await limitedKey({ draftOnly: true });
  elsewhere = await limitedKey({ siteIds: [site.id] });
  branch = await keyOfNewEnvironment();
});

afterAll(async () => {
  await agents.close();
});

/** One way to call an operation. */
interface Case {
  readonly name: string;
  readonly operation: BoundOperation;
  readonly example: Example;
  /** Whether it changes a draft, which a draft-only key may do. */
  readonly isDraftWork: boolean;
}

const mutations = operations.filter(
  ({ kind, meta }) => kind === 'mutation' && meta.audience === 'management' && meta.action !== 'read',
);

/** Operations on what another key wrote in their examples. */
const ofAuthors: ReadonlySet<string> = new Set(['entries.updateComment', 'entries.deleteComment']);

/** Starts a job, which refuses each of its files; see management/translations/archive-imports.test.ts. */
const refusedByJob: ReadonlySet<string> = new Set([
  'translations.startImport',
  // Their jobs make the calls of the import with the same key: management/imports/import-jobs.test.ts.
  ...['imports.start', 'imports.repeat', 'imports.cancel'],
]);

const examples = mutations.map((operation): Case => {
  const { resource, action } = operation.meta;
  const isOfDrafts = resource === 'entries' && ['create', 'update', 'delete'].includes(action);
  // Comments change no content (rule entries/comments).
  const isDiscussion = operation.name.endsWith('Comment') && !ofAuthors.has(operation.name);
  const isDraftWork = isOfDrafts || isDiscussion || operation.name === 'entries.batch';
  return { name: operation.name, operation, example: exampleOf(operation), isDraftWork };
});

/** An example with other values. */
function formOf(name: string, values: object, isDraftWork = false): Case {
  const operation = mutations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`${name} is not a mutation`);
  const example: Example = async (given) => ({ ...(await exampleOf(operation)(given)), ...values });
  return { name: `${name} with ${JSON.stringify(values)}`, operation, example, isDraftWork };
}

/** A batch that does what a call of a single entry does. */
function batchOf(action: 'publish' | 'unpublish'): Case {
  const single = formOf(`entries.${action}`, {});
  const { operation } = formOf('entries.batch', {});
  const example: Example = async (given) => {
    const { projectSlug, id } = await single.example(given);
    return { projectSlug, items: [{ action, id }] };
  };
  return { name: `entries.batch that may ${action}`, operation, example, isDraftWork: false };
}

const later = { scheduledAt: '2099-01-01T00:00:00Z' };

const cases: readonly Case[] = [
  ...examples,
  formOf('entries.publish', later),
  formOf('entries.unpublish', later),
  formOf('entries.bulk', { action: 'publish', params: later }),
  formOf('entries.bulk', { action: 'unpublish' }),
  formOf('entries.bulk', { action: 'unpublish', params: later }),
  formOf('entries.bulk', { action: 'delete' }, true),
  formOf('entries.bulk', { action: 'duplicate' }, true),
  batchOf('publish'),
  batchOf('unpublish'),
  formOf('redirects.import', { mode: 'replace' }),
  formOf('media.bulk', { action: 'delete', params: {} }),
  formOf('media.bulk', { action: 'move', params: { folderId: null } }),
];

/** Has rows in every environment. */
const inEnvironment: ReadonlySet<string> = new Set([
  'entries',
  'contentTypes',
  'customFieldTypes',
  'tree',
  'media',
  'redirects',
  'releases',
  'calendar',
  'search',
  'workflows',
  'translations',
]);

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

async function overRest({ operation, example }: Case, { secret }: Limited): Promise<string | undefined> {
  if (operation.meta.openapi === undefined) throw new Error(`${operation.name} is not served on REST`);
  const call = restCall(operation.meta.openapi, await example(scene));
  return failureOf((await send(app(), { ...call, key: secret })).body as Envelope);
}

async function overTrpc({ operation, example }: Case, { secret }: Limited): Promise<string | undefined> {
  const body = await example(scene);
  const path = `/api/trpc/${operation.name}`;
  const answer = (await send(app(), { method: 'POST', path, body, key: secret })).body as {
    error?: { data: Envelope };
    result?: { data: Envelope };
  };
  const envelope = answer.error?.data ?? answer.result?.data;
  if (envelope === undefined) throw new Error(`${operation.name} has no tRPC response`);
  return failureOf(envelope);
}

/** The input as the tool takes it: under its names, and with the slug of the site if it asks for that. */
function argumentsOf(
  { takes, argumentAliases, finds = {} }: ToolMeta,
  input: object,
): Record<string, unknown> {
  const { siteSlug } = scene.project;
  return {
    ...Object.fromEntries(
      Object.entries(input)
        .filter(([key]) => takes?.includes(key) ?? true)
        .map(([key, value]) => [argumentAliases?.[key] ?? key, value]),
    ),
    ...('siteSlug' in finds && { siteSlug }),
  };
}

async function overMcp({ operation, example }: Case, { client }: Limited): Promise<string | undefined> {
  const { projectSlug: _project, ...input } = await example(scene);
  const { mcp } = operation.meta;
  if (mcp === undefined) throw new Error(`${operation.name} is no tool`);
  const reply = await useTool(client, mcp.tool, argumentsOf(mcp, input));
  return failureOf(reply.structuredContent as Envelope);
}

const surfaces = { rest: overRest, trpc: overTrpc, mcp: overMcp };
type Surface = keyof typeof surfaces;

/** Those that serve an operation; in the usual run one of them, another one for each case. */
function surfacesOf(call: Case): readonly Surface[] {
  const served: readonly Surface[] =
    call.operation.meta.mcp === undefined ? ['rest', 'trpc'] : ['rest', 'trpc', 'mcp'];
  const turn = cases.indexOf(call) % served.length;
  return isLongRun ? served : served.slice(turn, turn + 1);
}

/** Failures by surface. */
async function replay(
  call: Case,
  key: Limited,
  served: readonly Surface[],
): Promise<Record<string, string | undefined>> {
  const failures: Record<string, string | undefined> = {};
  for (const surface of served) failures[surface] = await surfaces[surface](call, key);
  return failures;
}

const everywhere = (
  served: readonly Surface[],
  isRefused: boolean,
  code = 'permission_denied',
): Record<string, string | undefined> =>
  Object.fromEntries(
    served.map((surface) => [
      surface,
      isRefused ? (surface === 'mcp' ? 'api_key_permission_denied' : code) : undefined,
    ]),
  );

describe.each(cases)('$name with a limited key', (call) => {
  verifies('access/key-limits', 'access/writes-within-sites', 'access/key-bounds');

  const served = surfacesOf(call);

  it('is refused to a draft-only key unless it changes a draft', async () => {
    const code = ofAuthors.has(call.operation.name) ? 'not_comment_author' : undefined;
    expect(await replay(call, drafts, served)).toEqual(everywhere(served, !call.isDraftWork, code));
  });

  it('is refused to a key of another site', async () => {
    const isRefused = !refusedByJob.has(call.operation.name);
    expect(await replay(call, elsewhere, served)).toEqual(everywhere(served, isRefused));
  });

  it('changes nothing outside the environment of a key, and is refused if it belongs to none', async () => {
    const { meta } = call.operation;
    // Made once: the calls must not change what the examples need.
    const input = await call.example(scene);
    const before = await branch.stateOutside();
    const failures = await replay({ ...call, example: () => Promise.resolve(input) }, branch, served);
    expect(await branch.stateOutside()).toEqual(before);
    if (!inEnvironment.has(meta.resource)) expect(failures).toEqual(everywhere(served, true));
  });
});
