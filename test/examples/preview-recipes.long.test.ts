import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from '../support/desk.js';
import { withNpmPackages } from '../support/installed-packages.js';
import { createPage } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import { freePort } from './free-port.js';
import { ReleaseDesk } from '../management/releases/release-desk.js';

const app = useApp();
const run = promisify(execFile);
const recipes = path.resolve(import.meta.dirname, 'preview');
const PAGES = 10;

interface Recipe {
  readonly name: string;
  readonly build: readonly string[];
  readonly start: (port: string) => readonly string[];
}

const all: readonly Recipe[] = [
  {
    name: 'next',
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: (port) => ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port],
  },
  {
    name: 'astro',
    build: ['node_modules/astro/bin/astro.mjs', 'build'],
    start: () => ['dist/server/entry.mjs'],
  },
  {
    name: 'nuxt',
    build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
    start: () => ['.output/server/index.mjs'],
  },
];

let scene: ReleaseDesk;
let token: string;

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
  for (let index = 0; index < PAGES; index += 1) {
    const page = await createPage(app(), scene.desk.project, { slug: `page-${String(index)}` });
    await scene.edit(page, { fields: { title: `Live ${String(index)}` } });
    await scene.publishEntry(page);
    await scene.edit(page, { fields: { title: `Draft ${String(index)}` } });
  }
  const unpublished = await createPage(app(), scene.desk.project, { slug: 'to-come' });
  await scene.edit(unpublished, { fields: { title: 'To come' } });
  const { siteId } = scene.desk.project;
  const made = await scene.desk.post('/preview-sessions', { siteId });
  ({ token } = (made.body as { data: { token: string } }).data);
});

const folders = new Map(
  await Promise.all(
    all.map(async (one) => [one.name, await withNpmPackages(path.join(recipes, one.name))] as const),
  ),
);
afterAll(() =>
  Promise.all(
    [...folders.values()].map((folder) =>
      folder === undefined ? Promise.resolve() : rm(folder, { recursive: true, force: true }),
    ),
  ),
);

/** Without the characters that hide where a text is from. */
const seen = (html: string) =>
  /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1]?.replace(/[\u200b-\u200d\u2060\u2063]/g, '');

for (const recipe of all) {
  const folder = folders.get(recipe.name);
  const title = `The recipe for ${recipe.name} (needs its packages)`;
  (folder === undefined ? describe.skip : describe)(title, () => {
    verifies('publication/preview-sessions');

    let server: ChildProcess | undefined;
    let site: string;

    beforeAll(async () => {
      const { slug: PROJECT, siteSlug: SITE } = scene.desk.project;
      const port = await freePort();
      const env = {
        ...process.env,
        NODE_ENV: 'production',
        NODE_OPTIONS: '',
        HOST: '127.0.0.1',
        PORT: port,
        NITRO_HOST: '127.0.0.1',
        SERVICE: app().baseUrl,
        PROJECT,
        SITE,
        CI: '1',
        NEXT_TELEMETRY_DISABLED: '1',
        ASTRO_TELEMETRY_DISABLED: '1',
        NUXT_TELEMETRY_DISABLED: '1',
      };
      await run(process.execPath, recipe.build, { cwd: folder, env, maxBuffer: 2 ** 26 });
      server = spawn(process.execPath, recipe.start(port), { cwd: folder, env, stdio: 'ignore' });
      site = `http://127.0.0.1:${port}`;
      await waitFor('the site listens', () =>
        fetch(`${site}/page-0`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    });
    afterAll(async () => {
      server?.kill();
      if (server?.exitCode === null && server.signalCode === null) await once(server, 'exit');
    });

    const get = (at: string, cookie = '') => fetch(site + at, { redirect: 'manual', headers: { cookie } });
    const enter = (at: string, given: string) =>
      get(`/preview?${new URLSearchParams({ path: at, previewToken: given }).toString()}`);
    const cookiesOf = (response: Response) =>
      response.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');

    const walk = async (cookie?: string) => {
      const titles = [];
      for (let index = 0; index < PAGES; index += 1) {
        const response = await get(`/page-${String(index)}`, cookie);
        const html = await response.text();
        titles.push(seen(html));
        expect(html.includes('/preview.js')).toBe(cookie !== undefined);
        if (cookie !== undefined) expect(response.headers.get('cache-control')).toMatch(/private|no-store/);
      }
      return titles;
    };
    const titled = (state: string) =>
      Array.from({ length: PAGES }, (_, index) => `${state} ${String(index)}`);

    it('shows drafts on every page, but only to the holder of a session', async () => {
      expect(await walk()).toEqual(titled('Live'));
      expect((await get('/to-come')).status).toBe(404);
      const entered = await enter('/page-0', token);
      expect([entered.status, entered.headers.get('location')]).toEqual([307, '/page-0']);
      const cookie = cookiesOf(entered);
      expect(await walk(cookie)).toEqual(titled('Draft'));
      expect(seen(await (await get('/to-come', cookie)).text())).toBe('To come');
      expect(await walk()).toEqual(titled('Live'));
      const left = await fetch(`${site}/leave`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin: site },
      });
      expect([left.status, left.headers.get('location')]).toEqual([303, '/']);
      expect(left.headers.getSetCookie().join()).toMatch(/headwater_preview=(deleted)?;/);
    });

    it('refuses another token, and paths that lead to another host', async () => {
      expect((await enter('/page-0', `${token}x`)).status).toBe(403);
      expect((await enter('/page-0', '')).status).toBe(403);
      for (const away of ['//evil.example', '/\\evil.example', 'https://evil.example'])
        expect([away, (await enter(away, token)).status]).toEqual([away, 400]);
    });
  });
}
