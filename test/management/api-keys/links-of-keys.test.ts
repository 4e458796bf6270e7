import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { textFile, uploadAsset } from '../../support/factories/media.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';

const start = new Date('2027-01-10T08:00:00.000Z');
let now = start;
const app = useOwnApp({ clock: () => now });
let desk: Desk;

const WEEK = 604_800;
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString();

interface Link {
  readonly url: string;
  readonly token: string;
  readonly expiresAt: string;
}

interface Key {
  readonly id: string;
  readonly desk: Desk;
}

async function newKey(body: object = {}): Promise<Key> {
  const { id, secret } = await desk.newKey({ type: 'management', ...body });
  return { id, desk: desk.as(secret) };
}

const linkOf = async (by: Desk, path: string, body: object): Promise<Link> => {
  const response = await by.post(path, body);
  expect(response.status).toBe(200);
  return (response.body as { data: Link }).data;
};

const preview = (by: Desk, id: string, expiresIn: number) =>
  linkOf(by, `/entries/${id}/preview`, { expiresIn });
const signed = (by: Desk, id: string, body: object = { expiresIn: WEEK }) =>
  linkOf(by, `/media/${id}/signed-url`, body);

const open = async (url: string) =>
  outcome(await send(app(), { method: 'GET', path: url.replace(/^https?:\/\/[^/]+/, '') }));

const hidden = () =>
  uploadAsset(app(), desk.project, {
    file: textFile(`hidden ${String(Math.random())}`),
    visibility: 'private',
  });

beforeAll(async () => {
  desk = await openDesk(app());
});

beforeEach(() => {
  now = start;
});

describe('A preview link that a key made', () => {
  verifies('access/key-expiry-ends-links', 'publication/preview-expiry');

  it('expires with the key, whatever lifetime was asked for', async () => {
    const { id } = await article(desk);
    const key = await newKey({ expiresAt: after(600) });
    const link = await preview(key.desk, id, WEEK);
    expect(link.expiresAt).toBe(after(600));
    expect(await open(link.url)).toEqual([200, undefined]);
    now = new Date(after(601));
    expect(await open(link.url)).toEqual([403, 'invalid_preview_token']);
  });

  it('ends when the key is revoked, on REST and GraphQL', async () => {
    const { id } = await article(desk);
    const key = await newKey();
    const link = await preview(key.desk, id, WEEK);
    expect(await open(link.url)).toEqual([200, undefined]);
    await desk.delete(`/api-keys/${key.id}`);
    expect(await open(link.url)).toEqual([403, 'invalid_preview_token']);
    const query = await app()
      .request.post(`/api/graphql/${desk.project.slug}`)
      .set({ Authorization: `Bearer ${desk.project.keys.delivery}`, 'X-Preview-Token': link.token })
      .send({ query: `{ entry(id: "${id}") { _id } }` });
    expect(outcome(query)[0]).toBe(403);
  });

  it('ends when the expiry of its key is brought forward', async () => {
    const { id } = await article(desk);
    const key = await newKey();
    const link = await preview(key.desk, id, WEEK);
    await desk.put(`/api-keys/${key.id}`, { expiresAt: after(60) });
    expect(await open(link.url)).toEqual([200, undefined]);
    now = new Date(after(61));
    expect(await open(link.url)).toEqual([403, 'invalid_preview_token']);
  });

  it('works on after the secret of its key was rotated, and for another key', async () => {
    const { id } = await article(desk);
    const key = await newKey();
    const other = await newKey();
    const link = await preview(key.desk, id, WEEK);
    await desk.post(`/api-keys/${key.id}/rotate`, { overlapSeconds: 0 });
    await desk.delete(`/api-keys/${other.id}`);
    expect(await open(link.url)).toEqual([200, undefined]);
  });

  it('lasts an hour at most for a key and a user who may only read', async () => {
    const { id } = await article(desk);
    const key = await newKey({ permissions: ['read'] });
    const viewer = await createMember(app(), desk.project, [
      await systemRoleId(app(), desk.project, 'viewer'),
    ]);
    const editor = await createMember(app(), desk.project, [
      await systemRoleId(app(), desk.project, 'editor'),
    ]);
    expect((await preview(key.desk, id, WEEK)).expiresAt).toBe(after(3600));
    expect((await preview(desk.as(viewer.token), id, WEEK)).expiresAt).toBe(after(3600));
    expect((await preview(desk.as(viewer.token), id, 60)).expiresAt).toBe(after(60));
    expect((await preview(desk.as(editor.token), id, WEEK)).expiresAt).toBe(after(WEEK));
  });
});

describe('A signed URL that a key made', () => {
  verifies('access/key-expiry-ends-links', 'publication/preview-expiry');

  it('expires with the key', async () => {
    const { id } = await hidden();
    const key = await newKey({ expiresAt: after(600) });
    const { url, expiresAt } = await signed(key.desk, id);
    expect(expiresAt).toBe(after(600));
    expect((await open(url))[0]).toBe(200);
    now = new Date(after(601));
    expect(await open(url)).toEqual([403, 'invalid_signature']);
  });

  it('ends when the key is revoked, also for a rendition and after a rename', async () => {
    const { id } = await uploadAsset(app(), desk.project, { visibility: 'private' });
    const key = await newKey();
    const plain = await signed(key.desk, id);
    const small = await signed(key.desk, id, { expiresIn: WEEK, transform: { w: 2 } });
    for (const { url } of [plain, small]) expect((await open(url))[0]).toBe(200);
    const { version } = (await desk.get(`/media/${id}`)).body.data as { version: number };
    await desk.put(`/media/${id}`, { version, fileName: 'renamed.png' });
    const { headers } = await send(app(), {
      method: 'GET',
      path: plain.url.replace(/^https?:\/\/[^/]+/, ''),
    });
    const moved = String(headers.location);
    expect((await open(moved))[0]).toBe(200);
    await desk.delete(`/api-keys/${key.id}`);
    for (const url of [plain.url, small.url, moved])
      expect(await open(url)).toEqual([403, 'invalid_signature']);
  });

  it('cannot lose or change the key that it names', async () => {
    const { id } = await hidden();
    const [key, other] = [await newKey(), await newKey()];
    const { url } = await signed(key.desk, id);
    expect(url).toContain(`key=${key.id}`);
    expect(await open(url.replace(`&key=${key.id}`, ''))).toEqual([403, 'invalid_signature']);
    expect(await open(url.replace(key.id, other.id))).toEqual([403, 'invalid_signature']);
  });

  it('refuses a key without a signature on a public file', async () => {
    const { url } = await uploadAsset(app(), desk.project);
    expect(await open(`${url}?key=${(await newKey()).id}`)).toEqual([403, 'invalid_signature']);
  });

  it('names no key where a user made it, and works on', async () => {
    const { id } = await hidden();
    const editor = await createMember(app(), desk.project, [
      await systemRoleId(app(), desk.project, 'editor'),
    ]);
    const { url } = await signed(desk.as(editor.token), id);
    expect(url).not.toContain('key=');
    expect((await open(url))[0]).toBe(200);
  });
});

describe('A calendar feed that a key made', () => {
  verifies('access/key-expiry-ends-links');

  it('shows the expiry of the key as its own', async () => {
    const key = await newKey({ expiresAt: after(600) });
    const { body } = await key.desk.get('/calendar/feed-url');
    const { url, expiresAt } = (body as { data: Link }).data;
    expect(expiresAt).toBe(after(600));
    now = new Date(after(601));
    expect((await open(url))[0]).toBeGreaterThanOrEqual(401);
  });
});
