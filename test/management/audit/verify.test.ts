import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openDesk, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

/** A new project with two sealed blocks. */
async function sealedDesk(): Promise<Desk> {
  const desk = await openDesk(app());
  await app().composition.jobs.sealAudit();
  await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'One' } });
  await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Two' } });
  await app().composition.jobs.sealAudit();
  return desk;
}

async function check(desk: Desk, query = ''): Promise<Record<string, unknown>> {
  return ((await desk.get(`/audit-events/verify${query}`)).body as { data: Record<string, unknown> }).data;
}

/** Runs statements as the owner of the tables with triggers disabled. */
async function tamper(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT set_config('headwater.platform', 'on', false)");
    await client.query('ALTER TABLE audit_events DISABLE TRIGGER append_only');
    await client.query('ALTER TABLE audit_blocks DISABLE TRIGGER append_only');
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.query('ALTER TABLE audit_events ENABLE TRIGGER append_only');
    await client.query('ALTER TABLE audit_blocks ENABLE TRIGGER append_only');
    await client.end();
  }
}

const latestOf = ({ project }: Desk) =>
  `number = (SELECT max(number) FROM audit_events WHERE chain_id = '${project.projectId}')`;

describe('The chain of audit records', () => {
  verifies('events/audit-chain');

  it('verifies a chain of blocks sealed by the worker', async () => {
    const desk = await sealedDesk();
    const found = await check(desk);
    expect(found).toMatchObject({
      chainId: desk.project.projectId,
      ok: true,
      blocks: 2,
      unsealed: 0,
      firstBrokenBlock: null,
      problem: null,
      nextBlock: null,
      headHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'New' } });
    expect(await check(desk)).toEqual({ ...found, unsealed: 1 });
    expect(await check(desk, '?fromBlock=2')).toMatchObject({ ok: true, blocks: 1, records: 2 });
  });

  it.each([
    ['a changed record', 'records_changed', "UPDATE audit_events SET after = '{}' WHERE"],
    ['a changed time', 'records_changed', "UPDATE audit_events SET at = at + interval '1 ms' WHERE"],
    ['a record removed', 'records_changed', 'DELETE FROM audit_events WHERE'],
  ])('reports %s', async (_what, problem, statement) => {
    const desk = await sealedDesk();
    await tamper(`${statement} ${latestOf(desk)}`);
    expect(await check(desk)).toMatchObject({ ok: false, firstBrokenBlock: 2, problem });
  });

  it('reports a record inserted into a block or between the last block and now', async () => {
    const desk = await sealedDesk();
    const copy = (number: string) =>
      `INSERT INTO audit_events (id, number, tenant_id, project_id, at, action, actor, target, changed_fields, context, metadata)
       SELECT gen_random_uuid(), ${number}, tenant_id, project_id, at, action, actor, target, changed_fields, context, metadata
       FROM audit_events WHERE ${latestOf(desk)}`;
    const gap = '(SELECT max(number) FROM audit_events) + 1000';
    await tamper(copy(gap), "SELECT setval('audit_number', (SELECT max(number) FROM audit_events))");
    expect(await check(desk)).toMatchObject({ ok: true, unsealed: 1 });
    const other = await openDesk(app());
    await app().composition.jobs.sealAudit();
    await tamper(copy('(SELECT max(number) FROM audit_events) - 990'));
    expect(await check(desk)).toMatchObject({ ok: false });
    expect(await check(other)).toMatchObject({ ok: true });
  });

  it('reports a missing block and a rewritten block', async () => {
    const desk = await sealedDesk();
    const own = `chain_id = '${desk.project.projectId}'`;
    await tamper(`UPDATE audit_blocks SET hash = sha256('x') WHERE ${own} AND number = 1`);
    expect(await check(desk)).toMatchObject({ ok: false, firstBrokenBlock: 1 });
    await tamper(`DELETE FROM audit_blocks WHERE ${own} AND number = 1`);
    expect(await check(desk)).toMatchObject({ ok: false, firstBrokenBlock: 1, problem: 'block_missing' });
    const cut = await sealedDesk();
    await openDesk(app());
    await app().composition.jobs.sealAudit();
    await tamper(`DELETE FROM audit_blocks WHERE chain_id = '${cut.project.projectId}' AND number = 2`);
    expect(await check(cut)).toMatchObject({ ok: false, firstBrokenBlock: 2, problem: 'record_unsealed' });
  });

  it('keeps one chain while several workers seal and others write', async () => {
    const desk = await openDesk(app());
    const write = () =>
      createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Busy' } });
    const seal = async () => {
      for (let round = 0; round < 6; round += 1) await app().composition.jobs.sealAudit();
    };
    await Promise.all([seal(), seal(), seal(), ...Array.from({ length: 12 }, write)]);
    await app().composition.jobs.sealAudit();
    const all = await app().rows<{ count: string }>(
      desk.project.tenantId,
      'SELECT count(*) FROM audit_events WHERE chain_id = $1',
      [desk.project.projectId],
    );
    expect(await check(desk)).toMatchObject({ ok: true, unsealed: 0, records: Number(all[0]?.count) });
  });

  it('waits for an open transaction that has taken a number', async () => {
    const desk = await sealedDesk();
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    try {
      await client.query("SELECT set_config('headwater.platform', 'on', false)");
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO audit_events (id, tenant_id, project_id, at, action, actor, target, changed_fields, context, metadata)
         SELECT gen_random_uuid(), tenant_id, project_id, at, action, actor, target, changed_fields, context, metadata
         FROM audit_events WHERE ${latestOf(desk)}`,
      );
      await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Later' } });
      expect(await app().composition.jobs.sealAudit()).toBe(0);
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
    await app().composition.jobs.sealAudit();
    expect(await check(desk)).toMatchObject({ ok: true, blocks: 3, unsealed: 0 });
  });
});

describe('Retention', () => {
  verifies('events/audit-retention');

  it('deletes whole blocks after 400 days and continues the chain', async () => {
    const desk = await sealedDesk();
    const own = `chain_id = '${desk.project.projectId}'`;
    const prune = () => app().rows<{ n: string }>(null, 'SELECT prune_audit() AS n');
    const before = await check(desk);
    expect(await prune()).toEqual([{ n: '0' }]);
    // Times are part of the hash, so the first block is aged and sealed again.
    await tamper(
      `UPDATE audit_events SET at = now() - interval '401 days' WHERE ${own} AND number <= (SELECT to_number FROM audit_blocks WHERE ${own} AND number = 1)`,
      `UPDATE audit_blocks SET sealed_at = now() - interval '401 days' WHERE ${own} AND number = 1`,
    );
    const [gone] = await prune();
    expect(Number(gone?.n)).toBe(Number(before.records) - 2);
    expect(await check(desk)).toMatchObject({ ok: true, blocks: 1, records: 2, headHash: before.headHash });
    await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Three' } });
    await app().composition.jobs.sealAudit();
    expect(await check(desk)).toMatchObject({ ok: true, blocks: 2, records: 3 });
  });

  it('keeps younger records, even with the setting of the retention guard', async () => {
    await sealedDesk();
    for (const table of ['audit_events', 'audit_blocks'])
      await expect(
        app().rows(
          null,
          `DELETE FROM ${table} WHERE set_config('headwater.audit_retention', 'on', true) = 'on'`,
        ),
      ).rejects.toThrow('audit records cannot be changed or deleted');
  });
});
