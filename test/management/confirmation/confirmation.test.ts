import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { limits } from '../../../contracts/limits.js';
import type { RestCall } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, createType } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

let now = new Date('2027-01-10T08:00:00.000Z');
const app = useOwnApp({ clock: () => now });
let desk: Desk;
let secret: string;

interface Asked {
  readonly confirmToken: string;
  readonly expiresAt: string;
  readonly preview: { data: Record<string, unknown>; dryRun: boolean; changes: { action: string }[] };
}

type ManagementCall = Pick<RestCall, 'method' | 'path' | 'body'>;

/** A management call of the key that requires confirmation. */
function call(
  { method, path, body }: ManagementCall,
  headers: Record<string, string> = {},
): Promise<Response> {
  const verb = method.toLowerCase() as 'post' | 'delete';
  const request = app()
    .request[verb](`${desk.project.management}${path}`)
    .set({ Authorization: `Bearer ${secret}`, ...headers });
  return Promise.resolve(body === undefined ? request : request.send(body as object));
}

const confirm = (request: ManagementCall, confirmToken: string, headers: Record<string, string> = {}) =>
  call(request, { ...headers, 'X-Confirm-Token': confirmToken });

/** Sends the first call, which must be refused with a preview. */
async function ask(request: ManagementCall): Promise<Asked> {
  const reply = await call(request);
  expect(outcome(reply)).toEqual([409, 'confirmation_required']);
  return (reply.body as { details: Asked }).details;
}

const newArticle = (fields: Record<string, unknown> = { title: 'Lock' }) =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });

const publish = (id: string, body: object = {}): ManagementCall => ({
  method: 'POST',
  path: `/entries/${id}/publish`,
  body,
});

const bulk = (action: string, entryIds: string[], params: object = {}): ManagementCall => ({
  method: 'POST',
  path: '/entries/bulk',
  body: { action, entryIds, params },
});

async function statusOf(id: string): Promise<string> {
  const { body } = await desk.get(`/entries/${id}`);
  return (body as { data: { status: string } }).data.status;
}

beforeAll(async () => {
  desk = await openDesk(app());
  ({ secret } = await desk.newKey({ type: 'management', requireConfirmation: true }));
});

beforeEach(() => {
  now = new Date('2027-01-10T08:00:00.000Z');
});

describe('REST with a key that requires confirmation', () => {
  verifies('access/confirmation-on-every-surface');

  it('publishes an entry only with the X-Confirm-Token of the preview', async () => {
    const { id } = await newArticle();
    const { confirmToken, expiresAt, preview } = await ask(publish(id));
    expect(preview).toMatchObject({ data: { id, status: 'published' }, dryRun: true });
    expect(preview.changes.map(({ action }) => action)).toEqual(['entry.publish']);
    expect(Date.parse(expiresAt) - now.getTime()).toBe(limits.confirmSeconds * 1000);
    expect(await statusOf(id)).toBe('draft');
    expect(outcome(await confirm(publish(id), confirmToken))).toEqual([200, undefined]);
    expect(await statusOf(id)).toBe('published');
  });

  it('unpublishes and deletes an entry after confirmation', async () => {
    const { id } = await newArticle();
    await desk.post(`/entries/${id}/publish`);
    const unpublish: ManagementCall = { method: 'POST', path: `/entries/${id}/unpublish` };
    const first = await ask(unpublish);
    expect((await confirm(unpublish, first.confirmToken)).status).toBe(200);
    expect(await statusOf(id)).toBe('draft');
    const remove: ManagementCall = { method: 'DELETE', path: `/entries/${id}` };
    const second = await ask(remove);
    expect((await confirm(remove, second.confirmToken)).status).toBe(200);
    expect((await desk.get(`/entries/${id}`)).status).toBe(404);
  });

  it('deletes content types, fields and webhooks after confirmation', async () => {
    const apiName = `spare_${unique().replaceAll('-', '_')}`;
    await createType(app(), desk.project, {
      apiName,
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'note', type: 'text' },
      ],
    });
    const made = await desk.post('/webhooks', {
      name: 'Hook',
      url: 'https://hooks.example.com/a',
      events: ['entry.published'],
    });
    const { id } = (made.body as { data: { id: string } }).data;
    for (const path of [
      `/content-types/${apiName}/fields/note`,
      `/content-types/${apiName}`,
      `/webhooks/${id}`,
    ]) {
      const { confirmToken } = await ask({ method: 'DELETE', path });
      expect((await desk.get(path)).status).toBe(200);
      expect([path, (await confirm({ method: 'DELETE', path }, confirmToken)).status]).toEqual([path, 200]);
      expect((await desk.get(path)).status).toBe(404);
    }
  });

  it('writes drafts without confirmation', async () => {
    const { id } = await newArticle();
    const reply = await desk.as(secret).put(`/entries/${id}`, { version: 1, fields: { title: 'Sluice' } });
    expect(reply.status).toBe(200);
  });

  it('returns the error of the call itself before asking for confirmation', async () => {
    const { id } = await newArticle({});
    expect(outcome(await call(publish(id)))).toEqual([422, 'entry_invalid']);
  });

  it('asks keys without requireConfirmation for nothing', async () => {
    const { id } = await newArticle();
    expect((await desk.post(`/entries/${id}/publish`)).status).toBe(200);
  });

  it('asks for confirmation of a schedule when the schedule is requested', async () => {
    const { id } = await newArticle();
    const scheduled = publish(id, { scheduledAt: '2027-02-01T00:00:00Z' });
    const { confirmToken, preview } = await ask(scheduled);
    expect(preview.data).toMatchObject({ entryId: id, status: 'scheduled' });
    const otherTime = publish(id, { scheduledAt: '2027-03-01T00:00:00Z' });
    expect(outcome(await confirm(otherTime, confirmToken))).toEqual([409, 'confirmation_required']);
    expect((await confirm(scheduled, confirmToken)).status).toBe(202);
  });

  it('asks for confirmation of bulk publish, unpublish and delete and binds the token to the whole input', async () => {
    const [one, two] = await Promise.all([newArticle(), newArticle()]);
    const both = [one.id, two.id];
    const { confirmToken, preview } = await ask(bulk('publish', both));
    expect(preview.data).toMatchObject({ action: 'publish', succeeded: 2 });
    expect(await statusOf(one.id)).toBe('draft');
    for (const other of [
      bulk('delete', both),
      bulk('publish', [one.id]),
      bulk('publish', both, { scheduledAt: '2027-02-01T00:00:00Z' }),
    ])
      expect(outcome(await confirm(other, confirmToken))).toEqual([409, 'confirmation_required']);
    expect((await confirm(bulk('publish', both), confirmToken)).status).toBe(200);
    expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(['published', 'published']);
    for (const action of ['unpublish', 'delete']) await ask(bulk(action, both));
  });

  it('duplicates in bulk without confirmation', async () => {
    const { id } = await newArticle();
    expect((await call(bulk('duplicate', [id]))).status).toBe(200);
  });
});

describe('A confirmation token', () => {
  verifies('access/confirmation-on-every-surface');

  it('is refused for another entry, operation, input and key', async () => {
    const [one, two] = await Promise.all([newArticle(), newArticle()]);
    const { confirmToken } = await ask(publish(one.id));
    for (const other of [
      publish(two.id),
      publish(one.id, { withDependencies: true }),
      { method: 'DELETE', path: `/entries/${one.id}` } as const,
    ])
      expect(outcome(await confirm(other, confirmToken))).toEqual([409, 'confirmation_required']);
    const another = await desk.newKey({ type: 'management', requireConfirmation: true });
    const headers = { Authorization: `Bearer ${another.secret}` };
    expect(outcome(await confirm(publish(one.id), confirmToken, headers))).toEqual([
      409,
      'confirmation_required',
    ]);
    expect(outcome(await confirm(publish(one.id), 'forged'))).toEqual([409, 'confirmation_required']);
    expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(['draft', 'draft']);
  });

  it('expires after five minutes', async () => {
    const { id } = await newArticle();
    const { confirmToken } = await ask(publish(id));
    now = new Date(now.getTime() + limits.confirmSeconds * 1000);
    expect(outcome(await confirm(publish(id), confirmToken))).toEqual([409, 'confirmation_required']);
    expect(await statusOf(id)).toBe('draft');
  });

  it('is refused once the entry has another version than the preview', async () => {
    const { id } = await newArticle();
    const { confirmToken } = await ask(publish(id));
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Later' } });
    expect(outcome(await confirm(publish(id), confirmToken))).toEqual([409, 'version_conflict']);
    expect(await statusOf(id)).toBe('draft');
  });

  it('works again for the same call within its lifetime', async () => {
    const { id } = await newArticle();
    const { confirmToken } = await ask(publish(id));
    for (const _attempt of [1, 2]) expect((await confirm(publish(id), confirmToken)).status).toBe(200);
  });

  it('leaves an Idempotency-Key unused until the call is confirmed', async () => {
    const { id } = await newArticle();
    const once = { 'Idempotency-Key': unique() };
    const first = await call(publish(id), once);
    expect(outcome(first)).toEqual([409, 'confirmation_required']);
    const { confirmToken } = (first.body as { details: Asked }).details;
    const second = await confirm(publish(id), confirmToken, once);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const third = await confirm(publish(id), confirmToken, once);
    expect([third.status, third.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });

  it('may be sent by scripts of any origin', async () => {
    const preflight = await app()
      .request.options(`${desk.project.management}/entries/bulk`)
      .set({ Origin: 'https://admin.example.com', 'Access-Control-Request-Headers': 'x-confirm-token' });
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'x-confirm-token',
    ]);
  });
});

describe('tRPC with a key that requires confirmation', () => {
  verifies('access/confirmation-on-every-surface');

  interface Reply {
    readonly result?: { data: { data: Record<string, unknown> } };
    readonly error?: { data: { error: string; httpStatus: number; details: Asked } };
  }

  async function mutate(paths: string, input: object, confirmToken?: string): Promise<Response> {
    const request = app()
      .request.post(`/api/trpc/${paths}`)
      .set('Authorization', `Bearer ${secret}`)
      .set(confirmToken === undefined ? {} : { 'X-Confirm-Token': confirmToken });
    return request.send(input);
  }

  it('publishes only with the X-Confirm-Token of the preview', async () => {
    const { id } = await newArticle();
    const input = { projectSlug: desk.project.slug, id };
    const first = await mutate('entries.publish', input);
    const { error } = first.body as Reply;
    expect([first.status, error?.data.error, error?.data.httpStatus]).toEqual([
      409,
      'confirmation_required',
      409,
    ]);
    expect(error?.data.details.preview).toMatchObject({ data: { id, status: 'published' }, dryRun: true });
    expect(await statusOf(id)).toBe('draft');
    expect((await mutate('entries.publish', input, error?.data.details.confirmToken)).status).toBe(200);
    expect(await statusOf(id)).toBe('published');
  });

  it('commits the other calls of a batch while one is previewed', async () => {
    const { id } = await newArticle();
    const { slug: projectSlug, siteId } = desk.project;
    const draft = { projectSlug, contentTypeApiName: 'article', siteId, fields: { title: 'Beside' } };
    const calls = ['entries.publish', 'entries.create', 'entries.create'];
    const reply = await mutate(`${calls.join(',')}?batch=1`, {
      0: { projectSlug, id },
      1: draft,
      2: draft,
    });
    const [published, ...created] = reply.body as Reply[];
    expect(published?.error?.data.error).toBe('confirmation_required');
    expect(await statusOf(id)).toBe('draft');
    for (const { result } of created)
      expect((await desk.get(`/entries/${String(result?.data.data.id)}`)).status).toBe(200);
  });
});
