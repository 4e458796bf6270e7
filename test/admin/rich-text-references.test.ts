import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { Desk } from '../support/admin-desk.js';
import { useEditorScene } from '../support/editor-desk.js';
import { uploadAsset } from '../support/factories/media.js';
import { hasBrowser } from '../support/optional-servers.js';
import { verifies } from '../support/verifies.js';

const bodyOf = ({ page }: Desk): Locator => page.locator('#field-body');

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (value: string, ...marks: object[]) => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: value,
});

/** Attributes that are set. */
const tidy = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).filter(([, one]) => one !== null))
      : part,
  );

async function save({ page, button }: Desk): Promise<void> {
  await button('Save draft').click();
  await page.getByText('Draft saved', { exact: true }).waitFor();
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Rich text with references (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    verifies('content/rich-text-references');
    const scene = useEditorScene();

    it('shows what entries and files it names, and keeps them when it is edited', async () => {
      const { app, project, article, open, stored } = scene();
      const target = await article({ title: 'The harbour' });
      const picture = await uploadAsset(app, project, { altText: 'Boats' });
      const missing = '01a20000-0000-7000-8000-0000000000ff';
      const first = [
        text('see', { type: 'link', attrs: { entryId: target.id, anchor: 'quay' } }),
        { type: 'entryMention', attrs: { entryId: target.id } },
        { type: 'entryMention', attrs: { entryId: missing } },
        text(' and more'),
      ];
      const embeds = [
        { type: 'entryEmbed', attrs: { entryId: target.id } },
        { type: 'assetEmbed', attrs: { assetId: picture.id, caption: 'At dawn', align: 'left' } },
      ];
      const body = { type: 'doc', content: [paragraph(...first), ...embeds, paragraph(text('End'))] };
      const { id } = await article({ title: 'Walk', body });
      const desk = await open(id);
      const mentions = bodyOf(desk).locator('.mention');
      await mentions.first().getByText('The harbour', { exact: true }).waitFor();
      await mentions.last().getByText('Not available', { exact: true }).waitFor();
      await bodyOf(desk).locator('figure.entry-embed').getByText('The harbour', { exact: true }).waitFor();
      await bodyOf(desk).getByRole('img', { name: 'Boats', exact: true }).waitFor();
      await bodyOf(desk).getByText('At dawn', { exact: true }).waitFor();
      expect(await bodyOf(desk).textContent()).not.toContain(target.id);
      expect(await desk.findings()).toEqual([]);
      await bodyOf(desk).getByText('End', { exact: true }).click();
      await desk.page.keyboard.press('End');
      await desk.page.keyboard.type(' of it');
      await save(desk);
      expect(tidy((await stored(id)).fields.body)).toEqual({
        type: 'doc',
        content: [paragraph(...first), ...embeds, paragraph(text('End of it'))],
      });
    });

    it('changes and removes the link at the cursor as a whole', async () => {
      const { article, open, stored } = scene();
      const link = { type: 'link', attrs: { href: '/old' } };
      const body = {
        type: 'doc',
        content: [paragraph(text('a ', link), text('bold', { type: 'bold' }, link), text(' rest'))],
      };
      const { id } = await article({ title: 'Links', body });
      const desk = await open(id);
      const { page } = desk;
      await bodyOf(desk).getByText('bold', { exact: true }).click();
      await desk.button('Link').click();
      await page.getByRole('textbox', { name: 'Address of the link', exact: true }).fill('/new');
      await desk.button('Set link').click();
      await save(desk);
      const after = { type: 'link', attrs: { href: '/new' } };
      expect(tidy((await stored(id)).fields.body)).toEqual({
        type: 'doc',
        content: [paragraph(text('a ', after), text('bold', after, { type: 'bold' }), text(' rest'))],
      });
      await bodyOf(desk).getByText('bold', { exact: true }).click();
      await desk.button('Link').click();
      await desk.button('Remove link').click();
      await expect(bodyOf(desk).locator('a').count()).resolves.toBe(0);
    });

    it('takes a paste from Google Docs and Word as it looks there', async () => {
      const { article, open, stored } = scene();
      const { id } = await article({ title: 'Paste', body: { type: 'doc', content: [paragraph()] } });
      const desk = await open(id);
      const html =
        '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:400">plain </span>' +
        '<span style="font-weight:700">bold</span></p></b>' +
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>First</p>" +
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Second</p>";
      await bodyOf(desk).click();
      await desk.page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', ${JSON.stringify(html)});
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.querySelector('#field-body').dispatchEvent(paste);
      })()`);
      await save(desk);
      const item = (value: string) => ({ type: 'listItem', content: [paragraph(text(value))] });
      expect(tidy((await stored(id)).fields.body)).toEqual({
        type: 'doc',
        content: [
          paragraph(text('plain '), text('bold', { type: 'bold' })),
          { type: 'bulletList', content: [item('First'), item('Second')] },
        ],
      });
    });
  },
);
