import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { expectAccessible } from '../support/expect-accessible.js';
import { must } from '../support/call.js';
import { kept, useEditorScene } from '../support/editor-desk.js';
import { focused } from '../support/element-state.js';
import { png } from '../support/factories/media.js';
import { hasBrowser } from '../support/optional-servers.js';
import { bodyOf, doc, node, paragraph, paste, text, tidy } from '../support/rich-text-desk.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const folder = new URL('../fixtures/rich-text/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8').trim();

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'What is put into rich text (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    verifies('content/pasted-html');
    const scene = useEditorScene();

    /** HTML as sites get it, once the draft is published. */
    const published = async (id: string): Promise<string> => {
      const { app, project, call } = scene();
      await call('POST', `/entries/${id}/publish`, { locale: 'en' });
      const { fields } = await must<{ fields: { body: { html: string } } }>(app, {
        method: 'GET',
        path: `${project.delivery}/entries/${id}?include=1`,
        key: project.keys.delivery,
      });
      return fields.body.html;
    };

    it.each(['google-docs', 'word'])('publishes a paste from %s as a reader saw it there', async (source) => {
      const { article, open } = scene();
      const { id } = await article({ title: 'Paste', body: doc(paragraph()) });
      const desk = await open(id);
      await bodyOf(desk).click();
      await paste(desk, { 'text/html': read(`${source}.html`), 'text/plain': 'Minutes' });
      if (source === 'word')
        await desk.page.getByText('Pictures that could not be pasted: 1.', { exact: false }).waitFor();
      await kept(desk);
      const expected = read(`${source}.expected.html`).replace(/>\n</g, '><');
      // The table of Word ends before the row that the cell reaches into; an editor keeps tables whole.
      expect(await published(id)).toBe(expected.replace(' rowspan="2"', ''));
      expect(desk.errors).toEqual([]);
    });

    it('uploads pictures that are pasted and dropped, and gives them texts', async () => {
      const { article, open, stored } = scene();
      const { id } = await article({ title: 'Pictures', body: doc(paragraph(text('Text'))) });
      const desk = await open(id);
      const { page, button } = desk;
      const put = (type: 'paste' | 'drop', content: Buffer): Promise<unknown> =>
        page.evaluate(`(() => {
          const data = new DataTransfer();
          const bytes = Uint8Array.from(atob('${content.toString('base64')}'), (one) => one.charCodeAt(0));
          data.items.add(new File([bytes], '${type}.png', { type: 'image/png' }));
          const body = document.querySelector('#field-body');
          const { left, top } = body.querySelector('p').getBoundingClientRect();
          const place = { clientX: left + 2, clientY: top + 8, bubbles: true, cancelable: true };
          body.dispatchEvent('${type}' === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, ...place })
            : new DragEvent('drop', { dataTransfer: data, ...place }));
        })()`);
      await bodyOf(desk).getByText('Text', { exact: true }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await put('paste', png(60, 40));
      const pictures = bodyOf(desk).locator('figure img');
      await pictures.first().waitFor();
      await put('drop', png(60, 40));
      await waitFor('both pictures are there', async () => (await pictures.count()) === 2);
      expect(await bodyOf(desk).getByText('No alternative text', { exact: true }).count()).toBe(2);
      await pictures.last().click();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Picture details', exact: true });
      await dialog.getByRole('textbox', { name: 'Caption', exact: true }).fill('At dawn');
      await dialog.getByRole('combobox', { name: 'Alignment', exact: true }).selectOption('center');
      await dialog.getByRole('textbox', { name: 'Alternative text', exact: true }).fill('A weir');
      await expectAccessible(desk, 'picture details');
      await desk.picture('rich-text-picture');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await focused(bodyOf(desk));
      await bodyOf(desk).getByRole('img', { name: 'A weir', exact: true }).waitFor();
      expect(await button('Picture details').count()).toBe(1);
      await kept(desk);
      const { content } = tidy((await stored(id)).fields.body) as { content: { type: string }[] };
      const texts = { alt: 'A weir', caption: 'At dawn', align: 'center' };
      const named = { assetId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
      expect(content.filter(({ type }) => type !== 'paragraph')).toEqual([
        { type: 'assetEmbed', attrs: named },
        { type: 'assetEmbed', attrs: { ...named, ...texts } },
      ]);
      const html = await published(id);
      expect(html).toContain('alt="A weir"');
      expect(html).toContain('<figcaption>At dawn</figcaption>');
      expect(desk.errors).toEqual([]);
    });

    it('uploads a picture in the dialog that chooses one', async () => {
      const { article, open, stored } = scene();
      const { id } = await article({ title: 'Upload', body: doc(paragraph(text('Text'))) });
      const desk = await open(id);
      await bodyOf(desk).getByText('Text', { exact: true }).click();
      await desk.button('Insert a picture or file').click();
      const dialog = desk.page.getByRole('dialog', { name: 'Choose a file', exact: true });
      const file = { name: 'upload.png', mimeType: 'image/png', buffer: png(62, 41) };
      await dialog.getByLabel('Files to upload', { exact: true }).setInputFiles(file);
      await bodyOf(desk).locator('figure img').waitFor();
      await focused(bodyOf(desk));
      await kept(desk);
      const { content } = tidy((await stored(id)).fields.body) as { content: object[] };
      expect(content).toContainEqual({
        type: 'assetEmbed',
        attrs: { assetId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      });
      expect(desk.errors).toEqual([]);
    });

    it('inserts from a menu that a slash opens, counts words, and fills the window', async () => {
      const { article, open, stored } = scene();
      const { id } = await article({ title: 'Menu', body: doc(paragraph(text('One of two'))) });
      const desk = await open(id);
      const { page, button } = desk;
      const menu = page.getByRole('listbox', { name: 'Insert', exact: true });
      await page.getByText('Words: 3, characters: 10', { exact: true }).waitFor();
      await bodyOf(desk).getByText('One of two', { exact: true }).click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/');
      await menu.waitFor();
      const active = await bodyOf(desk).getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${String(active)}"]`).textContent()).toBe('Paragraph');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('rich-text-slash');
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await page.keyboard.press('Backspace');
      await page.keyboard.type('/head');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Three');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/ment');
      await menu.getByRole('option', { name: 'Mention an entry', exact: true }).click();
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await focused(bodyOf(desk));
      await page.keyboard.type('four');
      await page.getByText('Words: 5, characters: 19', { exact: true }).waitFor();
      await button('Fill the window').click();
      await focused(bodyOf(desk));
      const { width, height } = (await page.locator('.rich.full').boundingBox()) ?? {};
      expect([width, height]).toEqual([1280, 900]);
      const behind = page.locator('[inert]', { has: button('Save draft') });
      expect(await behind.count()).toBe(1);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('rich-text-full');
      await page.keyboard.press('Escape');
      await page.locator('.rich.full').waitFor({ state: 'detached' });
      expect(await page.locator('[inert]').count()).toBe(0);
      await kept(desk);
      expect(tidy((await stored(id)).fields.body)).toEqual(
        doc(
          paragraph(text('One of two')),
          { ...node('heading', text('Three')), attrs: { level: 2 } },
          paragraph(text('four')),
        ),
      );
      expect(desk.errors).toEqual([]);
    });
  },
);
