import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { rowOf } from '../resources/index.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let scene: Scene;
/** For a second call of each mutation: setting a value to itself leaves no record. */
let other: Scene;

interface AuditRow {
  action: string;
  actor: { type: string; id: string | null };
  before: object | null;
  after: object | null;
  target: { type: string; id: string };
  context: { requestId: string; interface: string; cause?: { requestId: string; action: string } };
}

beforeAll(async () => {
  scene = await openScene(app());
  other = await openScene(app());
});

/** The record of what the call names; others were changed along with it. */
const named = (records: readonly AuditRow[]): AuditRow[] =>
  records.filter(({ action, context: { cause } }) => cause === undefined || cause.action === action);

/** Audit records of a request, in any tenant. */
function recordsOf(requestId: string): Promise<AuditRow[]> {
  return app().rows<AuditRow>(null, "SELECT * FROM audit_events WHERE context ->> 'requestId' = $1", [
    requestId,
  ]);
}

const isChange = ({ operation }: (typeof restOperations)[number]): boolean =>
  operation.kind === 'mutation' && operation.meta.changesNothing !== true;
const mutations = restOperations.filter(isChange);
const queries = restOperations.filter(({ operation }) => operation.kind === 'query');
const reports = restOperations.filter(({ operation }) => operation.meta.changesNothing === true);

describe.each(mutations)('Audit of $name', ({ operation, rest }) => {
  verifies('events/records');

  it('stores exactly one record of what it names, with actor and changes', async () => {
    const own = rowOf(operation.name).needsOwnScene ? await openScene(app()) : scene;
    const call = restCall(rest, await exampleOf(operation)(own));
    const response = await send(app(), { ...call, key: await rightKey(own, operation) });
    expect(response.status).toBeLessThan(300);
    const records = await recordsOf(String(response.headers['x-request-id']));
    const causes = records.map(({ context }) => context.cause?.requestId);
    expect(records.length === 1 || causes.every((id) => id === response.headers['x-request-id'])).toBe(true);
    const [record, ...more] = named(records);
    expect(more).toEqual([]);
    expect(record?.context.interface).toBe('management');
    expect(record?.target.id).toBeTruthy();
    expect(record?.before ?? record?.after).not.toBeNull();
    expect(JSON.stringify(records)).not.toMatch(/hw[dpm]_[0-9A-Za-z]{20}|argon2/);
  });

  it('stores no record when the call is rejected', async () => {
    const call = restCall(rest, await exampleOf(operation)(scene));
    const response = await send(app(), {
      ...call,
      ...(call.body !== undefined && { body: { nonsense: true } }),
      path: `${call.path}x`,
      key: await rightKey(scene, operation),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await recordsOf(String(response.headers['x-request-id']))).toEqual([]);
  });
});

describe.each(mutations)('Audit of $name over tRPC', ({ operation }) => {
  verifies('events/records');

  it('stores exactly one record of what it names', async () => {
    const own = rowOf(operation.name).needsOwnScene ? await openScene(app()) : other;
    const input = await exampleOf(operation)(own);
    const key = await rightKey(own, operation);
    const call = app().request.post(`/api/trpc/${operation.name}`).send(input);
    const response = await (key === undefined ? call : call.set('Authorization', `Bearer ${key}`));
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    const records = named(await recordsOf(String(response.headers['x-request-id'])));
    expect(records.map(({ context }) => context.interface)).toEqual(['management']);
  });
});

describe.each(queries)('Query $name', ({ operation, rest }) => {
  it('is a GET, only reads and stores no audit record', async () => {
    expect(rest.method).toBe('GET');
    const call = restCall(rest, await exampleOf(operation)(scene));
    const response = await send(app(), { ...call, key: await rightKey(scene, operation) });
    expect(await recordsOf(String(response.headers['x-request-id']))).toEqual([]);
  });
});

describe.each(reports)('Report $name', ({ operation, rest }) => {
  it('is a POST that stores no audit record', async () => {
    expect(rest.method).toBe('POST');
    const call = restCall(rest, await exampleOf(operation)(scene));
    const response = await send(app(), { ...call, key: await rightKey(scene, operation) });
    expect(response.status).toBe(200);
    expect(await recordsOf(String(response.headers['x-request-id']))).toEqual([]);
  });
});
