import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runSyncCommand } from '../../src/cli/sync/sync-command.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { deliveredDocuments } from '../support/site-mirror.js';
import { verifies } from '../support/verifies.js';

const DAY_MS = 86_400_000;
let aheadMs = 0;
const app = useOwnApp({ clock: () => new Date(Date.now() + aheadMs) });
let desk: Desk;
let folder: string;

beforeEach(async () => {
  aheadMs = 0;
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-sync-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command; returns its output or failure. */
async function run(url = app().baseUrl, out = 'content'): Promise<string> {
  let output = '';
  const print = (text: string): void => {
    output += text;
  };
  const { slug, keys } = desk.project;
  const args = ['--url', url, '--key', keys.delivery, '--project', slug, '--site', 'main', '--out', out];
  try {
    await runSyncCommand(args, { directory: folder, print });
    return output;
  } catch (error) {
    return (error as Error).message;
  }
}

const kinds = { entries: 'entry', assets: 'asset', routes: 'route', redirects: 'redirect' };

/** The documents in the folder, as delivery names them. */
async function mirrored(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const [name, kind] of Object.entries(kinds))
    for (const file of await readdir(path.join(folder, 'content', name))) {
      const key = [kind, ...file.replace(/\.json$/, '').split('.')].join(' ');
      found.set(key, JSON.parse(await readFile(path.join(folder, 'content', name, file), 'utf8')));
    }
  return found;
}

const expectEqual = async (): Promise<void> => {
  expect(await mirrored()).toEqual(new Map(await deliveredDocuments(app(), desk.project)));
};

const article = async (title: string): Promise<string> => {
  const { id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title },
  });
  await publish(app(), desk.project, id);
  return id;
};

/** A service that returns these items in one page. */
async function serving(items: readonly object[], work: (url: string) => Promise<void>): Promise<void> {
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: items, meta: { nextCursor: 'next', hasMore: false } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    await work(`http://127.0.0.1:${String(port)}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('headwater sync', () => {
  verifies('publication/sync-command');

  it('mirrors a site into a folder, and then what has changed', async () => {
    const id = await article('Lake');
    await createLivePage(app(), desk.project, { slug: 'home' });
    const asset = await uploadAsset(app(), desk.project);
    expect(await run()).toMatch(/^content: 6 documents written, 0 deletions\.\n$/);
    await expectEqual();
    expect(await run()).toBe('content: 0 documents written, 0 deletions.\n');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    await article('River');
    expect(await run()).toBe('content: 1 documents written, 1 deletions.\n');
    await expectEqual();
    await desk.delete(`/media/${asset.id}`);
    expect(await run()).toBe('content: 0 documents written, 1 deletions.\n');
    await expectEqual();
    expect(await readdir(path.join(folder, 'content', 'assets'))).toEqual([]);
  });

  it('removes a file that was deleted while the content was read for the first time', async () => {
    const [kept, gone] = [await uploadAsset(app(), desk.project), await uploadAsset(app(), desk.project)];
    await run();
    const own = path.join(folder, 'content', '.headwater-sync');
    const state = JSON.parse(await readFile(path.join(own, 'state.json'), 'utf8')) as object;
    await desk.delete(`/media/${gone.id}`);
    await writeFile(path.join(own, 'state.json'), JSON.stringify({ ...state, isWhole: true }));
    const files = await readdir(path.join(folder, 'content', 'assets'));
    await writeFile(path.join(own, 'seen'), files.map((file) => `+assets/${file}\n`).join(''));
    await run();
    await expectEqual();
    const left = await readdir(path.join(folder, 'content', 'assets'));
    expect([...new Set(left.map((file) => file.split('.')[0]))]).toEqual([kept.id]);
  });

  it('starts over with an expired cursor, and removes what the site no longer has', async () => {
    const id = await article('Lake');
    await run();
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    await article('River');
    aheadMs = 100 * DAY_MS;
    await app().composition.jobs.prune();
    expect(await run()).toBe(
      'The cursor has expired. All content is read again.\ncontent: 1 documents written, 0 deletions.\n',
    );
    await expectEqual();
  });

  it('starts over with a cursor of another service, and goes on where a first run was stopped', async () => {
    const old = await article('Lake');
    await run();
    const own = path.join(folder, 'content', '.headwater-sync');
    const state = JSON.parse(await readFile(path.join(own, 'state.json'), 'utf8')) as object;
    await desk.post(`/entries/${old}/unpublish`, { locale: 'en' });
    await article('River');
    const forged = JSON.stringify({ ...state, cursor: 'of-another-service' });
    await writeFile(path.join(own, 'state.json'), forged);
    expect(await run()).toMatch(/^The cursor has expired\. .*\ncontent: 1 documents written/);
    await expectEqual();
    // As a run leaves it that was stopped after its first page.
    await writeFile(path.join(own, 'state.json'), JSON.stringify({ ...state, cursor: null, isWhole: true }));
    await writeFile(path.join(own, 'seen'), `+entries/${old}.en.json\n-entries/${old}.en.json\n`);
    await writeFile(path.join(folder, 'content', 'entries', `${old}.en.json`), '{}\n');
    await run();
    await expectEqual();
    expect(await readdir(own)).toEqual(['drafts', 'state.json']);
  });

  it('writes nothing outside the folder, whatever a service returns', async () => {
    const names = ['../../escaped', '.hidden', 'a/b', 'C:\\x', 'nul\u0000', 'é'.repeat(300), '..', ''];
    const items = names.map((id) => ({ kind: 'entry', op: 'upsert', id, locale: '../x', document: { id } }));
    await serving(items, async (url) => {
      expect(await run(url)).toBe(`content: ${String(names.length)} documents written, 0 deletions.\n`);
    });
    expect(await readdir(folder)).toEqual(['content']);
    const files = await readdir(path.join(folder, 'content', 'entries'));
    expect(files.length).toBe(names.length);
    expect(files.filter((file) => !/^[\w~-]{0,150}\.[\w~-]+\.json$/.test(file) || file.length > 200)).toEqual(
      [],
    );
    const written = await Promise.all(
      files.map(async (file) =>
        JSON.parse(await readFile(path.join(folder, 'content', 'entries', file), 'utf8')),
      ),
    );
    expect(written.map(({ id }: { id: string }) => id).sort()).toEqual([...names].sort());
    await serving([{ kind: '../up', op: 'upsert', id: 'x', document: {} }], async (url) => {
      expect(await run(url)).toBe('The service returned an item of an unknown kind.');
    });
  });

  it('refuses a folder with something else, a mirror of another site and missing options', async () => {
    await writeFile(path.join(folder, 'notes.txt'), 'mine');
    expect(await run(undefined, '.')).toContain('is not empty, and not a mirror');
    expect(await readdir(folder)).toEqual(['notes.txt']);
    await run();
    const other = await openDesk(app());
    desk = other;
    expect(await run()).toContain('is a mirror of');
    await expect(
      runSyncCommand(['--url', 'x'], { directory: folder, print: () => undefined }),
    ).rejects.toThrow('Set the address of the service with --url or HEADWATER_URL.');
    expect(await run('http://127.0.0.1:1')).toContain('is a mirror of');
  });
});
