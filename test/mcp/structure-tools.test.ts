import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createFolder, createLivePage, createPageType } from '../support/factories/tree.js';
import { createEntry } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';
import { Agents, useTool } from './agents.js';

const app = useApp();
let desk: Desk;
let agents: Agents;
let client: Client;

beforeAll(async () => {
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  agents = new Agents(app(), desk.project);
  client = await agents.connect(desk.project.keys.management, ['structure']);
});

afterAll(() => agents.close());

const dataOf = async (name: string, args: object) =>
  (await useTool(client, name, args as Record<string, unknown>)).structuredContent;
const resolve = async (path: string): Promise<unknown> => {
  const { body } = await app().request.get(`${desk.project.delivery}/routes?path=${path}`);
  return body.data?.target ?? body.data?.entry?._id ?? body.error;
};

describe('The tools of the tree', () => {
  verifies('mcp/structure-tools');

  it('move a page by its entry or its node, and redirect its old path', async () => {
    const folder = await createFolder(app(), desk.project, { slug: 'company' });
    const page = await createLivePage(app(), desk.project, { slug: 'about' });
    const moved = await dataOf('move_node', { entryId: page.id, parentId: folder.id });
    expect(moved.data).toMatchObject({ id: page.treeNodeId, path: { en: '/company/about' } });
    expect(await resolve('/about')).toBe('/company/about');
    const back = await dataOf('move_node', { nodeId: page.treeNodeId, parentId: null, position: 0 });
    expect(back.data).toMatchObject({ position: 0, path: { en: '/about' } });
  });

  it('need a node or an entry, and not both', async () => {
    const page = await createLivePage(app(), desk.project, { slug: 'either' });
    const id = { nodeId: page.treeNodeId, entryId: page.id };
    const neither = await dataOf('move_node', { parentId: null });
    const both = await dataOf('delete_node', id);
    expect([neither.error, neither.details?.issues]).toEqual([
      'validation_failed',
      [{ path: ['nodeId'], code: 'required', message: 'Set nodeId or entryId.' }],
    ]);
    expect(both.details?.issues).toEqual([
      { path: ['nodeId'], code: 'not_allowed', message: 'Set nodeId or entryId, not both.' },
    ]);
  });

  it('say how an entry without a node gets one, and which entry does not exist', async () => {
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ann' },
    });
    const outside = await dataOf('move_node', { entryId: author.id, parentId: null });
    expect(outside).toMatchObject({ error: 'tree_node_not_found', details: { path: ['entryId'] } });
    expect(outside.message).toContain('treeParentId');
    const missing = await dataOf('move_node', {
      entryId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00',
      parentId: null,
    });
    expect(missing.error).toBe('entry_not_found');
  });

  it('create folders and links in the tree of a site, and change and delete them', async () => {
    const folder = await dataOf('create_node', {
      siteSlug: 'main',
      type: 'folder',
      name: 'Press',
      slug: 'press',
    });
    const { id: parentId } = folder.data as unknown as { id: string };
    expect(folder.data).toMatchObject({
      siteId: desk.project.siteId,
      type: 'folder',
      path: { en: '/press' },
    });
    const url = 'https://example.com/kit';
    const link = await dataOf('create_node', { siteSlug: 'main', type: 'link', name: 'Kit', url, parentId });
    expect(link.data).toMatchObject({ parentId, url, type: 'link' });
    const renamed = await dataOf('update_node', { nodeId: parentId, slug: 'newsroom' });
    expect(renamed.data).toMatchObject({ slug: 'newsroom', path: { en: '/newsroom' } });
    expect((await dataOf('delete_node', { nodeId: parentId })).error).toBe('node_has_children');
    const deleted = await dataOf('delete_node', { nodeId: parentId, children: 'delete' });
    expect(deleted.data).toEqual({ id: parentId, deleted: true });
    const unknown = await dataOf('create_node', { siteSlug: 'nowhere', type: 'folder', slug: 'x' });
    expect(unknown.error).toBe('site_not_found');
  });

  it('create, find and delete redirects', async () => {
    const sent = { siteSlug: 'main', source: '/old-shop', target: 'https://example.com/shop', status: 308 };
    const site = await desk.put('/sites/main', { allowedTargets: ['example.com'] });
    expect(site.status).toBe(200);
    const made = await dataOf('create_redirect', sent);
    const { id } = made.data as unknown as { id: string };
    expect(made.data).toMatchObject({ siteId: desk.project.siteId, source: '/old-shop', status: 308 });
    expect((await dataOf('list_redirects', { query: 'old-shop' })).data).toMatchObject([{ id }]);
    expect((await dataOf('list_redirects', { query: 'new-shop' })).data).toEqual([]);
    expect((await dataOf('delete_redirect', { id })).data).toEqual({ id, deleted: true });
    expect((await dataOf('list_redirects', { query: 'old-shop' })).data).toEqual([]);
  });

  it('rehearse a move with dryRun, by the entry as well', async () => {
    const page = await createLivePage(app(), desk.project, { slug: 'rehearsed' });
    const folder = await createFolder(app(), desk.project, { slug: 'stage' });
    const args = { entryId: page.id, parentId: folder.id, dryRun: true };
    const reply = await dataOf('move_node', args);
    expect([reply.dryRun, reply.changes?.length]).toEqual([true, expect.any(Number)]);
    expect(await resolve('/rehearsed')).toBe(page.id);
  });

  it('move a published page of a key with requireConfirmation only with its token', async () => {
    const page = await createLivePage(app(), desk.project, { slug: 'careful' });
    const folder = await createFolder(app(), desk.project, { slug: 'later' });
    const key = await agents.newKey({
      type: 'management',
      requireConfirmation: true,
      toolsets: ['structure'],
    });
    const careful = await agents.connect(key, []);
    const args = { entryId: page.id, parentId: folder.id };
    const first = await useTool(careful, 'move_node', args);
    expect(first.structuredContent.error).toBe('confirmation_required');
    expect(await resolve('/careful')).toBe(page.id);
    const { confirmToken } = first.structuredContent.details ?? {};
    const done = await useTool(careful, 'move_node', { ...args, confirmToken });
    expect(done.structuredContent.data).toMatchObject({ path: { en: '/later/careful' } });
    expect(await resolve('/careful')).toBe('/later/careful');
  });
});
