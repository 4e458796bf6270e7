import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.js';
import { useBrowser } from '../support/browser-app.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import {
  createEntry,
  createType,
  paragraphs,
  publish,
  type TestEntry,
} from '../support/factories/content.js';
import { hasBrowser } from '../support/optional-servers.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import { change } from '../management/entries/history.js';

const README = 'src/features/entries/previews/README.md';

/** The site of the README, as it is written there. */
async function startSite(folder: string, environment: Record<string, string>) {
  const [, code = ''] =
    /## A site in plain HTML[^]*?```js\n([^]*?)```/.exec(await readFile(README, 'utf8')) ?? [];
  const file = path.join(folder, 'site.mjs');
  await writeFile(file, code);
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...environment, PORT: '0' } });
  let port = '';
  child.stdout.on('data', (text: Buffer) => (port += text.toString().trim()));
  await waitFor('the site listens', () => port !== '');
  return { child, url: `http://127.0.0.1:${port}` };
}

(hasBrowser ? describe : describe.skip)('The script of sites that show drafts (needs CHROMIUM)', () => {
  verifies('publication/preview-script');

  const app = useApp();
  const browser = useBrowser();
  let desk: Desk;
  let folder: string;
  let site: { child: ChildProcess; url: string };
  let hello: TestEntry;
  let token: string;

  beforeAll(async () => {
    desk = await openDesk(app());
    const fields = [
      { apiName: 'title', type: 'text' },
      { apiName: 'body', type: 'richText' },
    ];
    await createType(app(), desk.project, { apiName: 'page', isPage: true, fields });
    const make = (slug: string, title: string) =>
      createEntry(app(), desk.project, {
        contentTypeApiName: 'page',
        slug,
        fields: { title, body: paragraphs('First words', 'Second words') },
      });
    hello = await make('hello', 'Hello');
    await publish(app(), desk.project, (await make('live', 'Live')).id);
    const made = await desk.post('/preview-sessions', { siteId: desk.project.siteId });
    ({ token } = (made.body as { data: { token: string } }).data);
    folder = await mkdtemp(path.join(os.tmpdir(), 'site-'));
    const { slug: PROJECT, siteSlug: SITE } = desk.project;
    site = await startSite(folder, { SERVICE: app().baseUrl, PROJECT, SITE });
  });
  afterAll(async () => {
    site.child.kill();
    await rm(folder, { recursive: true });
  });

  const listens = (page: Page) =>
    page.waitForResponse((response) => response.url().includes('/preview/stream'));

  /** Opens the page and waits until it hears of changes. */
  const open = async (): Promise<Page> => {
    const { page } = await openPage(browser());
    const listening = listens(page);
    await page.goto(`${site.url}/hello?previewToken=${token}`);
    await listening;
    return page;
  };

  it('is loaded by the site of the README for the holder of a token only, who walks on by cookie', async () => {
    const pageAt = async (path: string, cookie?: string) =>
      fetch(site.url + path, { headers: cookie === undefined ? {} : { cookie } });
    const published = await pageAt('/live');
    expect(await published.text()).not.toContain('preview.js');
    expect((await pageAt('/hello')).status).toBe(404);
    const draft = await pageAt(`/hello?previewToken=${token}`);
    const cookie = draft.headers.get('set-cookie') ?? '';
    expect(draft.headers.get('cache-control')).toBe('private, no-store');
    const walked = await pageAt('/live', cookie.split(';')[0]);
    expect([walked.status, await walked.text()]).toEqual([200, expect.stringContaining('preview.js')]);
    expect((await pageAt(`/hello?previewToken=${token}x`)).status).toBe(403);
  });

  it('shows a change at once, unless the page does it itself', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
    const listening = listens(page);
    await change(desk, hello.id, { fields: { title: 'Changed' } });
    await page.getByRole('heading', { name: 'Changed' }).waitFor();
    await listening;
    await page.evaluate(`window.addEventListener('headwater:changed', (event) => {
      event.preventDefault();
      document.title = event.detail.entryId;
    })`);
    await change(desk, hello.id, { fields: { title: 'Again' } });
    await waitFor('the event arrives', async () => (await page.title()) === hello.id);
    expect(await page.getByRole('heading', { name: 'Changed' }).count()).toBe(1);
    await page.close();
  });

  it('outlines the field under the pointer, and opens it in the admin app', async () => {
    const page = await open();
    const outline = page.locator('body > div').last();
    await page.getByRole('heading').hover();
    await waitFor('the heading is outlined', async () => {
      const [around, heading] = [await outline.boundingBox(), await page.getByRole('heading').boundingBox()];
      return around !== null && around.y === heading?.y;
    });
    const opening = page.waitForEvent('popup');
    await page.getByText('Second words').click({ modifiers: ['Alt'] });
    const address = new URL((await opening).url());
    expect(address.pathname).toBe(`/admin/${desk.project.slug}/main/entries/${hello.id}`);
    expect(Object.fromEntries(address.searchParams)).toEqual({ locale: 'en', field: 'body' });
    await page.context().close();
  });

  it('exchanges messages with a frame of the admin app, and with no other', async () => {
    for (const [around, isAdmin] of [
      [`${app().baseUrl}/healthz`, true],
      [`${site.url}/live`, false],
    ] as const) {
      // The pages around it have no frames of their own.
      const page = await browser().newPage({ bypassCSP: true });
      await page.goto(around);
      await page.evaluate(`window.heard = [];
        window.addEventListener('message', ({ data }) => window.heard.push(data));
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(`${site.url}/hello?previewToken=${token}`)};
        frame.width = 600;
        document.body.append(frame);`);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading').click();
      const outline = frame.locator('body > div').last();
      await frame.getByText('Second words').hover();
      await outline.waitFor();
      const heard = async (): Promise<unknown[]> => page.evaluate('window.heard');
      const source = { entryId: hello.id, locale: 'en', path: 'title' };
      if (isAdmin) await waitFor('the field is opened', async () => (await heard()).length > 1);
      const ready = expect.objectContaining({ type: 'headwater:ready' });
      expect(await heard()).toEqual(isAdmin ? [ready, { type: 'headwater:open', ...source }] : []);
      const scroll = { type: 'headwater:scroll', entryId: hello.id, path: 'title' };
      const isOnTitle = async (): Promise<boolean> => {
        const [around, heading] = [
          await outline.boundingBox(),
          await frame.getByRole('heading').boundingBox(),
        ];
        return around !== null && around.y === heading?.y;
      };
      await page.evaluate(
        `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(scroll)}, '*')`,
      );
      if (isAdmin) await waitFor('the title is shown', isOnTitle);
      else {
        // The message was received before the answer to this one.
        await frame.locator('body').evaluate('new Promise((resolve) => setTimeout(resolve, 600))');
        expect(await isOnTitle()).toBe(false);
      }
      await page.context().close();
    }
  });
});
