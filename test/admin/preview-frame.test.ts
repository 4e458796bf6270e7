import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { FrameLocator } from 'playwright-core';
import type { Desk } from '../support/admin-desk.js';
import { saved, titleIn, useEditorScene } from '../support/editor-desk.js';
import { createMember, createRole, memberPassword } from '../support/members.js';
import { paragraphs } from '../support/factories/content.js';
import { hasBrowser } from '../support/optional-servers.js';
import { reach } from '../support/keyboard.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const frameIn = ({ page }: Desk): FrameLocator =>
  page.frameLocator('iframe[title="The page with the draft"]');

const focused = ({ page }: Desk): Promise<string> =>
  page.evaluate<string>("document.activeElement?.closest('[data-path]')?.dataset.path ?? ''");

/** Where the script outlines a text, and where the text is, from the top of the page. */
async function outlines(frame: FrameLocator, text: string): Promise<boolean> {
  const [around, words] = [
    await frame.locator('body > div').last().boundingBox(),
    await frame.getByText(text, { exact: true }).boundingBox(),
  ];
  return around !== null && words !== null && Math.abs(around.y - words.y) < 1;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The page beside the form, in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    verifies('publication/preview-frame');

    const scene = useEditorScene();
    const servers: http.Server[] = [];
    afterAll(() => servers.forEach((server) => server.close()));

    /** A separate site that shows the title of an entry as delivered. */
    async function startSite(id: string): Promise<string> {
      const { app, project } = scene();
      const answer = async (token: string): Promise<string> => {
        const read = await fetch(`${app.baseUrl}${project.delivery}/entries/${id}?previewToken=${token}`);
        const { data } = (await read.json()) as { data: { fields: { title: string } } };
        const source = JSON.stringify([id, 'en', 'title']);
        return `<!doctype html><h1 data-source='${source}'>${data.fields.title}</h1>
          <script src="${app.baseUrl}/preview.js" data-project="${project.slug}" data-site="main" data-token="${token}"></script>`;
      };
      const server = http.createServer((request, response) => {
        const token = new URL(request.url ?? '', 'http://site').searchParams.get('previewToken') ?? '';
        response.setHeader('content-type', 'text/html; charset=utf-8');
        void answer(token).then((html) => response.end(html));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    }

    it('shows what is typed, and leads from a text to its field and back', async () => {
      const { id } = await scene().article({ title: 'Before', body: paragraphs('Words') });
      const desk = await scene().open(id);
      const { page, button } = desk;
      expect(await page.locator('iframe').count()).toBe(0);
      await reach(page, button('Preview'));
      await page.keyboard.press('Enter');
      const frame = frameIn(desk);
      await frame.getByRole('heading', { name: 'Before' }).waitFor();
      await titleIn(desk).fill('After');
      await frame.getByRole('heading', { name: 'After' }).waitFor();
      await saved(desk);
      expect(await scene().stored(id)).toMatchObject({ fields: { title: 'After' } });
      await waitFor('the title is outlined', () => outlines(frame, 'After'));

      await page.getByRole('textbox', { name: /^slug/i }).focus();
      await frame.getByRole('heading', { name: 'After' }).click();
      await waitFor('the title has the focus', async () => (await focused(desk)) === 'title');
      expect(new URL(page.url()).pathname).toContain(id);

      expect(desk.errors).toEqual([]);
    });

    it('is as wide as a device, and stays open in this browser until it is closed', async () => {
      const { id } = await scene().article({ title: 'After' });
      const other = await scene().article({ title: 'Another' });
      const desk = await scene().open(id, '?panel=preview');
      const { page, button } = desk;
      const frame = frameIn(desk);
      await frame.getByRole('heading', { name: 'After' }).waitFor();
      for (const [name, width] of [
        ['Phone', 390],
        ['Tablet', 768],
        ['Desktop', 1280],
      ] as const) {
        await button(name).click();
        await waitFor(
          `the page is ${String(width)} pixels wide`,
          async () => (await frame.locator('html').evaluate('innerWidth')) === width,
        );
      }
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-preview');
      await button('Phone').click();
      await button('Preview').click();
      await button('Preview').click();
      await frame.getByRole('heading', { name: 'After' }).waitFor();
      expect(await button('Phone').getAttribute('aria-pressed')).toBe('true');
      await desk.open(`/${scene().project.slug}/main/entries/${other.id}`);
      await frame.getByRole('heading', { name: 'Another' }).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      const [room, form] = [
        await page.locator('.preview-room').boundingBox(),
        await page.locator('.editor-form').boundingBox(),
      ];
      expect([room?.x, room?.width]).toEqual(
        [form?.x, form?.width].map((one) => expect.closeTo(one ?? 0, -2)),
      );
      await page
        .getByRole('complementary', { name: 'Preview' })
        .getByRole('button', { name: 'Close' })
        .click();
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
      expect(desk.errors).toEqual([]);
    });

    it('shows the site at its preview address, in a frame that permits this address alone', async () => {
      const { id } = await scene().article({ title: 'Own site' });
      const site = await startSite(id);
      const { call } = scene();
      await call('PUT', '/sites/main', { previewUrlTemplate: `${site}{path}?previewToken={token}` });
      try {
        const desk = await scene().open(id, '?panel=preview');
        const frame = frameIn(desk).frameLocator('iframe');
        await frame.getByRole('heading', { name: 'Own site' }).waitFor();
        await titleIn(desk).fill('Written on');
        await frame.getByRole('heading', { name: 'Written on' }).waitFor();
        await desk.page.getByRole('textbox', { name: /^slug/i }).focus();
        await frame.getByRole('heading', { name: 'Written on' }).click();
        await waitFor('the title has the focus', async () => (await focused(desk)) === 'title');
        await waitFor('the title is outlined', () => outlines(frame, 'Written on'));
        const made = await call<{ url: string; token: string }>('POST', '/preview-sessions', {
          siteId: scene().project.siteId,
        });
        const wrapper = await scene().app.request.get(`/preview-frame?previewToken=${made.token}`);
        expect(wrapper.headers['content-security-policy']).toContain(`frame-src ${site};`);
        const elsewhere = await desk.page.context().newPage();
        const refused: string[] = [];
        elsewhere.on('console', (message) => refused.push(message.text()));
        const hash = encodeURIComponent(`${scene().app.baseUrl}/healthz`);
        await elsewhere.goto(`${scene().app.baseUrl}/preview-frame?previewToken=${made.token}#${hash}`);
        await waitFor('the frame is refused', () => refused.some((text) => text.includes('frame-src')));
        expect(desk.errors).toEqual([]);
      } finally {
        await call('PUT', '/sites/main', { previewUrlTemplate: null });
      }
      expect((await scene().app.request.get('/preview-frame?previewToken=x')).status).toBe(403);
    });

    it('shows the entry alone to those who may not read every entry, and no message of another page counts', async () => {
      const { app, project } = scene();
      const grant = (action: 'read' | 'update') =>
        ({ resource: 'entries', action, scope: { contentTypes: ['article'] } }) as const;
      const beside = ['contentTypes', 'sites'].map((resource) => ({ resource, action: 'read' }));
      const role = await createRole(app, project, [grant('read'), grant('update'), ...beside]);
      const { email } = await createMember(app, project, [role]);
      const { id } = await scene().article({ title: 'Mine', body: paragraphs('Words') });
      const desk = await scene().open(id, '?panel=preview', { email, password: memberPassword });
      const frame = frameIn(desk);
      await frame.getByRole('heading', { name: 'Mine' }).waitFor();
      await titleIn(desk).fill('Still mine');
      await frame.getByRole('heading', { name: 'Still mine' }).waitFor();
      const open = { type: 'headwater:open', entryId: id, locale: 'en', path: 'body' };
      await desk.page.evaluate(`window.postMessage(${JSON.stringify(open)}, '*')`);
      await frame.getByRole('heading').click();
      await waitFor('the title has the focus', async () => (await focused(desk)) === 'title');
      expect(desk.errors).toEqual([]);
    });
  },
);
