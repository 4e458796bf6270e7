import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { BoundOperation } from '../../src/procedures/index.js';
import { must, send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { createEntry } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { systemRoleId } from '../support/members.js';
import { exampleOf, operations, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';
import { rowOf } from '../resources/index.js';
import type { ForeignIds } from '../resources/row.js';
import { idPositions } from './id-positions.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let mine: Scene;
let theirs: Scene;

const MISSING = '0198c0de-0000-7000-8000-000000000000';

/** One call with an id of the other tenant, to compare with an unknown id. */
interface Sweep {
  readonly name: string;
  readonly position: string;
  readonly isQuiet: boolean;
  readonly foreign: string;
  readonly send: (id: string) => Promise<Response>;
}

const sweeps: Sweep[] = [];

async function foreignIds({ app: service, project }: Scene): Promise<ForeignIds> {
  const key = project.keys.management;
  const post = (path: string, body: object) =>
    must(service, { method: 'POST', path: `${project.management}${path}`, key, body });
  return {
    site: project.siteId,
    entry: (await createEntry(service, project, { contentTypeApiName: 'author', fields: { name: 'Ada' } }))
      .id,
    node: (await post('/tree/nodes', { siteId: project.siteId, slug: unique() })).id,
    role: await systemRoleId(service, project, 'viewer'),
    user: (await post('/users', { email: `${unique()}@example.com` })).id,
  };
}

function withValue(input: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(input) || (typeof key === 'number' && input === undefined)) {
    const list = Array.isArray(input) ? [...(input as unknown[])] : [];
    list[Number(key)] = withValue(list[Number(key)], rest, value);
    return list;
  }
  const known = (input ?? {}) as Record<string, unknown>;
  return { ...known, [key]: withValue(known[key], rest, value) };
}

async function plan(one: (typeof restOperations)[number], foreign: ForeignIds): Promise<void> {
  const { operation, rest, name } = one;
  const { foreignIds: named = [], quietPositions = [] } = rowOf(name);
  const [own, other] = [await exampleOf(operation)(mine), await exampleOf(operation)(theirs)];
  const key = await rightKey(mine, operation);
  const call = (input: unknown) => send(app(), { ...restCall(rest, input as Record<string, unknown>), key });
  for (const { path, value } of idPositions(own, other))
    sweeps.push({
      name,
      position: path.join('.'),
      isQuiet: quietPositions.includes(path.join('.')),
      foreign: value,
      send: (id) => call(withValue(own, path, id)),
    });
  for (const { path, kind, isQuiet = false } of named)
    sweeps.push({
      name,
      position: path.join('.'),
      isQuiet,
      foreign: foreign[kind],
      send: (id) => call(withValue(own, path, id)),
    });
}

/** A digest of a tenant's rows in each table. */
async function digests(tenantId: string): Promise<Record<string, string>> {
  const tables = await app().rows<{ name: string; key: string }>(
    tenantId,
    `SELECT c.table_name AS name, min(c.column_name) AS key FROM information_schema.columns c JOIN information_schema.tables t
       USING (table_schema, table_name) WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND c.column_name IN ('tenant_id', 'environment_id') GROUP BY 1 ORDER BY 1`,
  );
  const found: [string, string][] = [];
  for (const { name, key } of tables) {
    const within =
      key === 'environment_id'
        ? 'environment_id IN (SELECT id FROM environments WHERE tenant_id = $1)'
        : 'tenant_id = $1';
    const [row] = await app().rows<{ digest: string }>(
      tenantId,
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest FROM ${name} t WHERE ${within}`,
      [tenantId],
    );
    found.push([name, row?.digest ?? '']);
  }
  return Object.fromEntries(found);
}

const projectOperations = restOperations.filter(({ operation }: { operation: BoundOperation }) =>
  ['management', 'delivery'].includes(operation.meta.audience),
);

beforeAll(async () => {
  mine = await openScene(app());
  theirs = await openScene(app());
  const foreign = await foreignIds(theirs);
  for (const one of projectOperations) await plan(one, foreign);
}, 120_000);

/** The response without its id. */
const comparable = ({ status, text }: Response, id: string): string =>
  `${String(status)} ${text.replaceAll(id, '*')}`;

describe('Ids of another tenant', () => {
  verifies('limits/isolation', 'limits/isolation-of-ids');

  it('get the response of an unknown id at every position and change nothing', async () => {
    const before = await digests(theirs.project.tenantId);
    const differences: object[] = [];
    const successes: object[] = [];
    for (const { name, position, isQuiet, foreign, send: call } of sweeps) {
      const [theirAnswer, noAnswer] = [await call(foreign), await call(MISSING)];
      const [a, b] = [comparable(theirAnswer, foreign), comparable(noAnswer, MISSING)];
      if (a !== b && !isQuiet) differences.push({ name, position, a, b });
      if (isQuiet && theirAnswer.status !== noAnswer.status) differences.push({ name, position, a, b });
      if (theirAnswer.status < 400 && !isQuiet) successes.push({ name, position, a });
    }
    expect(differences).toEqual([]);
    expect(successes).toEqual([]);
    expect(await digests(theirs.project.tenantId)).toEqual(before);
  }, 240_000);

  it('are tested in every operation that has an id', () => {
    const tried = new Set(sweeps.map(({ name }) => name));
    const taking = projectOperations
      .filter(({ rest }) => /\{(?:\w*[iI]d)\}/.test(rest.path))
      .map(({ name }) => name);
    expect(taking.filter((name) => !tried.has(name))).toEqual([]);
    const named = operations
      .filter(({ name }) => rowOf(name).foreignIds !== undefined)
      .map(({ name }) => name);
    expect(named.filter((name) => !tried.has(name))).toEqual([]);
  });
});
