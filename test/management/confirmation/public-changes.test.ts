import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { textFile, uploadAsset } from '../../support/factories/media.js';
import { createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { editorial, newWorkflow } from '../workflows/definitions.js';

const app = useApp();
let desk: Desk;
/** With a key that requires confirmation. */
let careful: Desk;
let secret: string;

beforeAll(async () => {
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  ({ secret } = await desk.newKey({ type: 'management', requireConfirmation: true }));
  careful = desk.as(secret);
});

const ASKED = [409, 'confirmation_required'];

interface Given {
  readonly method: 'put' | 'post';
  readonly path: string;
  readonly body: object;
}

const send = ({ method, path, body }: Given, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(
    app()
      .request[method](`${desk.project.management}${path}`)
      .set({ Authorization: `Bearer ${secret}`, ...headers })
      .send(body),
  );

/** Must be refused first, and take effect with the token. */
async function confirmed(call: Given): Promise<Response> {
  const asked = await send(call);
  expect(outcome(asked)).toEqual(ASKED);
  const { confirmToken } = (asked.body as { details: { confirmToken: string } }).details;
  return send(call, { 'X-Confirm-Token': confirmToken });
}

const redirect = async (): Promise<{ id: string; source: string }> => {
  const body = { siteId: desk.project.siteId, source: `/${unique()}`, target: '/there' };
  return ((await desk.post('/redirects', body)).body as { data: { id: string; source: string } }).data;
};

const sameOutcome = async (path: string, body: object) =>
  outcome(
    await (path.startsWith('/tree/nodes/') && path.endsWith('/move')
      ? careful.post(path, body)
      : careful.put(path, body)),
  );

describe('A key that requires confirmation is asked', () => {
  verifies('access/confirmation-of-settings', 'access/confirmation-of-paths');

  it('before it moves a live page, and not before it moves a draft or changes what is not public yet', async () => {
    const { project } = desk;
    const [live, parent] = [
      await createLivePage(app(), project, { slug: unique() }),
      await createPage(app(), project, { slug: unique() }),
    ];
    const path = `/entries/${live.id}`;
    expect(await sameOutcome(path, { version: 1, treeParentId: parent.treeNodeId })).toEqual(ASKED);
    expect(await sameOutcome(path, { version: 1, slug: unique() })).toEqual([200, undefined]);
    expect(await sameOutcome(`/entries/${parent.id}`, { version: 1, slug: unique() })).toEqual([
      200,
      undefined,
    ]);
    const body = { version: 2, treeParentId: parent.treeNodeId };
    const moved = await confirmed({ method: 'put', path, body });
    expect([moved.status, moved.body.data.treeParentId]).toEqual([200, parent.treeNodeId]);
  });

  it('before it moves nodes above live pages, alone or in bulk', async () => {
    const { project } = desk;
    const [folder, other] = [
      await createPage(app(), project, { slug: unique() }),
      await createPage(app(), project, { slug: unique() }),
    ];
    const leaf = await createPage(app(), project, { slug: unique(), treeParentId: folder.treeNodeId });
    const move = { parentId: other.treeNodeId, position: 0 };
    const path = `/tree/nodes/${folder.treeNodeId}/move`;
    expect(await sameOutcome(path, move)).toEqual([200, undefined]);
    await desk.post(`/tree/nodes/${folder.treeNodeId}/move`, { parentId: null, position: 0 });
    await desk.post(`/entries/${leaf.id}/publish`);
    expect(await sameOutcome(path, move)).toEqual(ASKED);
    const bulk = { action: 'move', entryIds: [folder.id], params: { treeParentId: other.treeNodeId } };
    expect(outcome(await careful.post('/entries/bulk', bulk))).toEqual(ASKED);
    expect((await confirmed({ method: 'post', path, body: move })).status).toBe(200);
  });

  it('before redirects are replaced, repointed or switched off', async () => {
    const { id } = await redirect();
    const path = `/redirects/${id}`;
    for (const body of [{ target: '/elsewhere' }, { source: `/${unique()}` }, { isActive: false }])
      expect(await sameOutcome(path, body)).toEqual(ASKED);
    expect(await sameOutcome(path, { note: 'Why' })).toEqual([200, undefined]);
    expect(await sameOutcome(path, { target: '/there', note: 'The same target' })).toEqual([200, undefined]);
    const csv = (query: string, headers: Record<string, string> = {}) =>
      app()
        .request.post(`${desk.project.management}/redirects/import${query}`)
        .set({ Authorization: `Bearer ${secret}`, 'Content-Type': 'text/csv', ...headers })
        .send(`source,target,site\n/${unique()},/there,main\n`);
    expect(outcome(await csv('?mode=replace'))).toEqual(ASKED);
    expect((await csv('?mode=replace&dryRun=true')).status).toBe(200);
    expect((await csv('?mode=upsert')).status).toBe(200);
    expect((await desk.get(path)).status).toBe(200);
  });

  it('before a site is switched off or its paths change', async () => {
    const slug = `s${unique()}`;
    await desk.post('/sites', { slug, name: 'Site', locales: ['en', 'de'], defaultLocale: 'en' });
    for (const body of [{ isActive: false }, { localePathStrategy: 'prefix' }, { defaultLocale: 'de' }])
      expect(await sameOutcome(`/sites/${slug}`, body)).toEqual(ASKED);
    expect(await sameOutcome(`/sites/${slug}`, { name: 'Renamed', isActive: true })).toEqual([
      200,
      undefined,
    ]);
    const off = await confirmed({ method: 'put', path: `/sites/${slug}`, body: { isActive: false } });
    expect([off.status, off.body.data.isActive]).toEqual([200, false]);
  });

  it('before a private file becomes public, and not the other way round', async () => {
    const { id, version } = await uploadAsset(app(), desk.project, {
      file: textFile(`private ${unique()}`),
      visibility: 'private',
    });
    const path = `/media/${id}`;
    expect(await sameOutcome(path, { version, visibility: 'public' })).toEqual(ASKED);
    const shown = await confirmed({ method: 'put', path, body: { version, visibility: 'public' } });
    const { version: next } = (shown.body as { data: { version: number } }).data;
    expect(await sameOutcome(path, { version: next, visibility: 'private' })).toEqual([200, undefined]);
  });

  it('before the allowlist is switched off, a workflow changes, or a webhook gets another URL', async () => {
    await desk.post('/ip-allowlist', { cidr: '127.0.0.0/8' });
    await desk.put('/ip-allowlist', { enabled: true });
    expect(await sameOutcome('/ip-allowlist', { enabled: false })).toEqual(ASKED);
    expect(await sameOutcome('/ip-allowlist', { appliesTo: ['mcp'] })).toEqual(ASKED);
    expect(await sameOutcome('/ip-allowlist', { enabled: true })).toEqual([200, undefined]);
    await newWorkflow(desk, editorial({ slug: 'careful', contentTypes: ['author'] }));
    expect(await sameOutcome('/workflows/careful', { name: 'Other' })).toEqual(ASKED);
    const made = await desk.post('/webhooks', { name: 'Hook', url: 'http://127.0.0.1:1/a', events: ['*'] });
    const path = `/webhooks/${(made.body as { data: { id: string } }).data.id}`;
    expect(await sameOutcome(path, { url: 'http://127.0.0.1:1/b' })).toEqual(ASKED);
    expect(await sameOutcome(path, { url: 'http://127.0.0.1:1/a', name: 'Other' })).toEqual([200, undefined]);
  });
});
