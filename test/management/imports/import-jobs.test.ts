import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import type { Response } from 'supertest';
import type { ImportJob } from '../../../contracts/editorial/imports/import-job.js';
import { unzipped, zipOf } from '../../support/archives.js';
import { issues, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { superAdmin } from '../../support/factories/project.js';
import { createMember, createRole, systemRoleId } from '../../support/members.js';
import { waitFor } from '../../support/wait-for.js';
import { verifies } from '../../support/verifies.js';
import { importLimits } from '../../../contracts/editorial/imports/import-job.js';

const app = useOwnApp();

type Fields = Readonly<Record<string, string>>;

interface Caller {
  readonly desk: Desk;
  readonly token: string;
}

async function openOwner(slug = 'owner'): Promise<Caller> {
  const desk = await openDesk(app());
  const member = await createMember(desk.app, desk.project, [
    await systemRoleId(desk.app, desk.project, slug),
  ]);
  return { desk, token: member.token };
}

const send = ({ desk, token }: Caller, method: 'get' | 'post', path: string) =>
  desk.app.request[method](`${desk.project.management}/imports${path}`).set(
    'Authorization',
    `Bearer ${token}`,
  );

function start(
  caller: Caller,
  file: string | Buffer,
  fields: Fields,
  fileName = 'parts.csv',
): Promise<Response> {
  let request = send(caller, 'post', '');
  for (const [name, value] of Object.entries(fields)) request = request.field(name, value);
  return Promise.resolve(request.attach('file', Buffer.from(file), fileName));
}

const jobIn = ({ body }: Response): ImportJob => (body as { data: ImportJob }).data;

const read = async (caller: Caller, { jobId }: Pick<ImportJob, 'jobId'>): Promise<ImportJob> =>
  jobIn(await send(caller, 'get', `/${jobId}`));

async function ended(caller: Caller, response: Response): Promise<ImportJob> {
  expect([response.status, response.body]).toMatchObject([202, { data: { status: 'queued' } }]);
  const job = jobIn(response);
  await caller.desk.app.composition.jobs.importFiles();
  return read(caller, job);
}

const repeat = (caller: Caller, { jobId }: ImportJob, input: object): Promise<Response> =>
  Promise.resolve(send(caller, 'post', `/${jobId}/repeat`).send(input));

const csv = 'sku,title,price,parent,note\na,Lock,4,b,\nb,Weir,5,,\nc,Gate,6,missing,\n';
const table = { system: 'csv', contentTypeApiName: 'part' };

const countOf = ({ counts }: ImportJob, kind: string) => counts.find((count) => count.kind === kind);

const titles = async ({ desk }: Caller): Promise<string[]> => {
  const { body } = await desk.get('/entries?contentTypeApiName=part&orderBy=createdAt:asc');
  return (body as { data: { fields: { heading: string } }[] }).data
    .map(({ fields }) => fields.heading)
    .sort();
};

describe('An import as a job', () => {
  verifies('entries/import-jobs');

  it('reports what it would make and writes the mapping in a dry run, then imports with a changed one', async () => {
    const owner = await openOwner();
    const dry = await ended(owner, await start(owner, csv, { ...table, dryRun: 'true' }));
    expect(dry).toMatchObject({
      status: 'done',
      dryRun: true,
      fileName: 'parts.csv',
      size: csv.length,
      failed: 0,
    });
    expect(countOf(dry, 'entry')).toMatchObject({ made: 3, changed: 0, same: 0 });
    expect(outcome(await owner.desk.get('/content-types/part'))).toEqual([404, 'content_type_not_found']);
    const mapping = (dry.mapping ?? '').replace('apiName: title', 'apiName: heading');
    expect(mapping).toContain('heading');
    const real = await ended(owner, await repeat(owner, dry, { mapping }));
    expect(real).toMatchObject({ status: 'done', dryRun: false, mapping });
    expect(countOf(real, 'entry')).toMatchObject({ made: 3 });
    expect(await titles(owner)).toEqual(['Gate', 'Lock', 'Weir']);
    const again = await ended(owner, await repeat(owner, real, {}));
    expect(countOf(again, 'entry')).toMatchObject({ made: 0, same: 3 });
  });

  it('lists its losses, and all of them in an archive', async () => {
    const owner = await openOwner();
    const rows = Array.from(
      { length: importLimits.importLosses + 20 },
      (_, index) => `x${String(index)},Lock,gone${String(index)}`,
    );
    const mapped = await ended(
      owner,
      await start(owner, 'sku,title,parent\na,Lock,b\nb,Weir,a', { ...table, dryRun: 'true' }),
    );
    const content = ['sku,title,parent', ...rows, 'a,Lock,b', 'b,Weir,a'].join('\n');
    const job = await ended(owner, await start(owner, content, { ...table, mapping: mapped.mapping ?? '' }));
    expect(job.losses).toHaveLength(importLimits.importLosses);
    expect(job.lossCount).toBeGreaterThanOrEqual(importLimits.importLosses + 20);
    const address = (job.url ?? '').replace(/^https?:\/\/[^/]+/, '');
    const { body } = await owner.desk.app.request.get(address).responseType('blob');
    const lines = (await unzipped(body as Buffer))['losses.jsonl']?.trimEnd().split('\n') ?? [];
    expect(lines).toHaveLength(job.lossCount);
    expect(JSON.parse(lines[0] ?? '')).toEqual(job.losses[0]);
  });

  it('reads a ZIP archive of Markdown files with their pictures', async () => {
    const owner = await openOwner();
    const archive = await zipOf({
      'content/posts/lock.md': '---\ntitle: The lock\n---\n\nWater ![A gate](gate.svg)\n',
      'content/posts/gate.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    });
    const job = await ended(owner, await start(owner, archive, { system: 'markdown' }, 'site.zip'));
    expect(job).toMatchObject({ status: 'done', error: null });
    expect([countOf(job, 'entry')?.made, countOf(job, 'asset')?.made]).toEqual([1, 1]);
  });

  it('has the present rights of its caller', async () => {
    const viewer = await openOwner('viewer');
    expect(outcome(await start(viewer, csv, table))).toEqual([403, 'permission_denied']);
    const editor = await openOwner('editor');
    const refused = await ended(editor, await start(editor, csv, table));
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'import_failed' } });
    expect(refused.error?.message).toContain('permission_denied');
    const owner = await openOwner();
    const started = await start(owner, csv, table);
    const admin = await superAdmin(owner.desk.app);
    await createMember(owner.desk.app, owner.desk.project, [
      await systemRoleId(owner.desk.app, owner.desk.project, 'owner'),
    ]);
    const gone = await owner.desk.as(admin).delete(`/users/${jobIn(started).createdBy.id ?? ''}`);
    expect(gone.status).toBe(200);
    await owner.desk.app.composition.jobs.importFiles();
    const job = await read({ desk: owner.desk, token: admin }, jobIn(started));
    expect(job).toMatchObject({ status: 'failed', error: { code: 'import_failed' } });
    expect(job.error?.message).toContain('wrong_project');
    expect(outcome(await owner.desk.get('/content-types/part'))).toEqual([404, 'content_type_not_found']);
  });

  it('ends with a sentence about the file if that cannot be read', async () => {
    const owner = await openOwner();
    const job = await ended(
      owner,
      await start(owner, '{"entries": [', { system: 'contentful' }, 'export.json'),
    );
    expect(job).toMatchObject({ status: 'failed', error: { code: 'import_failed' } });
    expect(job.error?.message).not.toContain('/');
    const files = await ended(
      owner,
      await start(owner, Buffer.from('PK'), { system: 'markdown' }, 'site.zip'),
    );
    expect(files).toMatchObject({ status: 'failed', error: { code: 'import_failed' } });
  });

  it('is canceled while it waits, and runs again', async () => {
    const owner = await openOwner();
    const waiting = jobIn(await start(owner, csv, table));
    expect(outcome(await repeat(owner, waiting, {}))).toEqual([409, 'import_running']);
    expect(jobIn(await send(owner, 'post', `/${waiting.jobId}/cancel`))).toMatchObject({
      status: 'canceled',
    });
    await owner.desk.app.composition.jobs.importFiles();
    expect(await read(owner, waiting)).toMatchObject({ status: 'canceled', counts: [] });
    expect(jobIn(await send(owner, 'post', `/${waiting.jobId}/cancel`))).toMatchObject({
      status: 'canceled',
    });
    const listed = (await send(owner, 'get', '')).body as { data: ImportJob[] };
    expect(listed.data.map(({ jobId }) => jobId)).toEqual([waiting.jobId]);
  });

  it('starts over in another process when one has died, four times at most', async () => {
    const owner = await openOwner();
    const died = async ({ jobId }: ImportJob, attempts: number): Promise<unknown> =>
      owner.desk.app.rows(
        owner.desk.project.tenantId,
        `UPDATE import_jobs SET status = 'running', lease_id = gen_random_uuid(), attempts = $2,
           due_at = now() - interval '1 second' WHERE id = $1`,
        [jobId, attempts],
      );
    const once = jobIn(await start(owner, csv, table));
    await died(once, 1);
    await owner.desk.app.composition.jobs.importFiles();
    expect(await read(owner, once)).toMatchObject({ status: 'done' });
    const often = jobIn(await start(owner, csv, table));
    await died(often, 4);
    await owner.desk.app.composition.jobs.importFiles();
    expect(await read(owner, often)).toMatchObject({ status: 'failed', error: { code: 'import_failed' } });
  });

  it('ends when it is canceled while it runs, and keeps what it has written', async () => {
    const owner = await openOwner();
    const rows = Array.from({ length: 3000 }, (_, index) => `r${String(index)},Lock ${String(index)}`);
    const job = jobIn(await start(owner, ['sku,title', ...rows].join('\n'), table));
    const running = owner.desk.app.composition.jobs.importFiles();
    await waitFor('rows are written', async () => (await read(owner, job)).done > 0);
    expect(jobIn(await send(owner, 'post', `/${job.jobId}/cancel`))).toMatchObject({ status: 'canceled' });
    await running;
    expect(await read(owner, job)).toMatchObject({ status: 'canceled', counts: [] });
    const { body } = await owner.desk.get('/entries?contentTypeApiName=part');
    const { total } = (body as { meta: { total: number } }).meta;
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(3000);
  });

  it('counts fields that the project lacks, and what is changed', async () => {
    const owner = await openOwner();
    const lacking = { ...table, contentTypeApiName: 'article', dryRun: 'true' };
    expect((await ended(owner, await start(owner, csv, lacking))).conflicts).toBeGreaterThan(0);

    const made = await ended(owner, await start(owner, csv, table));
    const { body } = await owner.desk.get('/entries?contentTypeApiName=part&limit=1');
    const [entry] = (body as { data: { id: string; version: number }[] }).data;
    const changed = { version: entry?.version, fields: { title: 'Another title' } };
    expect((await owner.desk.put(`/entries/${entry?.id ?? ''}`, changed)).status).toBe(200);
    const again = await ended(owner, await repeat(owner, made, {}));
    expect(countOf(again, 'entry')).toMatchObject({ changed: 1, same: 2 });
  });

  it('counts what the mapping leaves out, and what the service refuses', async () => {
    const owner = await openOwner();
    const made = await ended(owner, await start(owner, csv, table));
    const dry = await ended(owner, await repeat(owner, made, { dryRun: true }));
    const mapping = parse(dry.mapping ?? '') as { types: { part: { fields: Record<string, unknown> } } };
    mapping.types.part.fields.price = null;
    const less = await ended(owner, await repeat(owner, made, { dryRun: true, mapping: stringify(mapping) }));
    expect(countOf(less, 'field')).toMatchObject({ skipped: 1 });

    const site = { slug: 'second', name: 'Second' };
    expect((await owner.desk.post('/sites', site)).status).toBe(201);
    const elsewhere = await ended(owner, await start(owner, csv, { ...table, siteSlug: 'second' }));
    expect(elsewhere).toMatchObject({ status: 'done', siteSlug: 'second', failed: 3 });
  });

  it('fails if its file no longer exists', async () => {
    const owner = await openOwner();
    const started = await start(owner, csv, table);
    await rm(path.join(owner.desk.app.media.directory, 'objects/imports'), { recursive: true });
    expect(await ended(owner, started)).toMatchObject({ status: 'failed', error: { code: 'job_not_found' } });
  });

  it('is shown to its caller, and to others only if they may read every entry', async () => {
    const owner = await openOwner();
    const { app: service, project } = owner.desk;
    const job = jobIn(await start(owner, csv, table));
    const viewer = await createMember(service, project, [await systemRoleId(service, project, 'viewer')]);
    expect(await read({ ...owner, token: viewer.token }, job)).toMatchObject({ jobId: job.jobId });
    const grant = { resource: 'entries', scope: { contentTypes: ['article'] } };
    const role = await createRole(service, project, [
      { ...grant, action: 'read' },
      { ...grant, action: 'create' },
    ]);
    const limited = { ...owner, token: (await createMember(service, project, [role])).token };
    expect(outcome(await send(limited, 'get', `/${job.jobId}`))).toEqual([404, 'job_not_found']);
    expect(outcome(await send(limited, 'post', `/${job.jobId}/cancel`))).toEqual([404, 'job_not_found']);
    expect((await send(limited, 'get', '')).body).toEqual({ data: [] });
    const own = jobIn(await start(limited, csv, table));
    expect(await read(limited, own)).toMatchObject({ jobId: own.jobId });
  });

  it('refuses a site that does not exist, and a file without a system', async () => {
    const owner = await openOwner();
    expect(outcome(await start(owner, csv, { ...table, siteSlug: 'nowhere' }))).toEqual([
      404,
      'site_not_found',
    ]);
    expect(issues(await start(owner, csv, {}))).toEqual([['system', 'invalid_value']]);
  });
});
