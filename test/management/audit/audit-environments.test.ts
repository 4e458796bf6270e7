import { beforeAll, describe, expect, it } from '@jest/globals';
import { column, openDesk, useApp, type Desk } from '../../support/desk.js';
import { sessionWith, type TestGrant } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

/** Copies the first record of the project into another environment, or into none. */
async function recordIn(action: string, environment: string | null): Promise<void> {
  const { tenantId, projectId } = desk.project;
  await app().rows(
    tenantId,
    `INSERT INTO audit_events (id, tenant_id, project_id, project_slug, environment_id, environment, at, action, actor, target,
       changed_fields, context, metadata)
     SELECT gen_random_uuid(), tenant_id, project_id, project_slug, CASE WHEN $1::text IS NOT NULL THEN gen_random_uuid() END,
       $1, now(), $2, actor, target, changed_fields, context, metadata FROM audit_events WHERE project_id = $3 LIMIT 1`,
    [environment, action, projectId],
  );
}

beforeAll(async () => {
  desk = await openDesk(app());
  await recordIn('other.environment', 'staging');
  await recordIn('no.environment', null);
});

/** Which of these records a key sees in the list and in the export. */
async function seenBy(key: string): Promise<unknown> {
  const reader = desk.as(key);
  const all = column(await reader.get('/audit-events?limit=100'), 'action');
  const lines = (await reader.get('/audit-events/export')).text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(all);
  return ['other.environment', 'no.environment', 'site.create'].filter((action) => all.includes(action));
}

const read = (scope?: object): TestGrant => ({
  resource: 'auditLogs',
  action: 'read',
  ...(scope && { scope }),
});

describe('Audit records of another environment', () => {
  verifies('events/audit-read');

  it('shows records of all environments to callers without an environment', async () => {
    const everything = ['other.environment', 'no.environment', 'site.create'];
    expect(await seenBy(desk.project.keys.management)).toEqual(everything);
    expect(await seenBy(await sessionWith(app(), desk.project, [read()]))).toEqual(everything);
    const both = [read({ environments: ['main'] }), read()];
    expect(await seenBy(await sessionWith(app(), desk.project, both))).toEqual(everything);
  });

  it('hides records of other environments from bound keys and limited roles', async () => {
    const { secret } = await desk.newKey({ type: 'management', environment: 'main' });
    expect(await seenBy(secret)).toEqual(['no.environment', 'site.create']);
    const role = [read({ environments: ['main'] })];
    expect(await seenBy(await sessionWith(app(), desk.project, role))).toEqual([
      'no.environment',
      'site.create',
    ]);
  });
});
