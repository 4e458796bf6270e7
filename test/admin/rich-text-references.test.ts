import { describe, expect, it } from '@jest/globals';
import { kept, useEditorScene } from '../support/editor-desk.js';
import { createEntry, createType } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { unique } from '../support/factories/project.js';
import { hasBrowser } from '../support/optional-servers.js';
import { bodyOf, paragraph, paste, text, tidy } from '../support/rich-text-desk.js';
import { verifies } from '../support/verifies.js';

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
      await kept(desk);
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
      await kept(desk);
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

    it('mentions and embeds entries and files that are chosen from a list', async () => {
      const { app, project, article, open, stored } = scene();
      const target = await article({ title: `Harbour ${unique()}` });
      const title = String(target.fields.title);
      const picture = await uploadAsset(app, project, { altText: 'Boats' });
      const body = { type: 'doc', content: [paragraph(text('See '))] };
      const { id } = await article({ title: 'Insertion', body });
      const desk = await open(id);
      const choose = async (tool: string, name: string): Promise<void> => {
        await desk.button(tool).click();
        const dialog = desk.page.getByRole('dialog');
        await dialog.getByRole('button', { name }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await bodyOf(desk).getByText('See', { exact: false }).click();
      await desk.page.keyboard.press('End');
      await choose('Mention an entry', title);
      await bodyOf(desk).locator('.mention').getByText(title, { exact: true }).waitFor();
      await choose('Embed an entry', title);
      await bodyOf(desk).locator('figure.entry-embed').getByText(title, { exact: true }).waitFor();
      await choose('Insert a picture or file', picture.fileName);
      await bodyOf(desk).getByRole('img', { name: 'Boats', exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await kept(desk);
      expect(tidy((await stored(id)).fields.body)).toEqual({
        type: 'doc',
        content: [
          paragraph(text('See '), { type: 'entryMention', attrs: { entryId: target.id } }),
          { type: 'entryEmbed', attrs: { entryId: target.id } },
          { type: 'assetEmbed', attrs: { assetId: picture.id } },
        ],
      });
    });

    it('links to entries and files, with an anchor, and to an address again', async () => {
      const { app, project, article, open, stored } = scene();
      const target = await article({ title: `Harbour ${unique()}` });
      const title = String(target.fields.title);
      const picture = await uploadAsset(app, project);
      const link = { type: 'link', attrs: { href: '/old', title: 'Old', target: '_blank' } };
      const body = { type: 'doc', content: [paragraph(text('here', link))] };
      const { id } = await article({ title: 'Targets', body });
      const desk = await open(id);
      const { page } = desk;
      const dialog = page.getByRole('dialog', { name: 'Link', exact: true });
      const openDialog = async (): Promise<void> => {
        await bodyOf(desk).getByText('here', { exact: true }).click();
        await desk.button('Link').click();
      };
      const linked = async (attrs: object): Promise<void> => {
        await desk.button('Set link').click();
        await kept(desk);
        const changed = { type: 'link', attrs: { title: 'Old', target: '_blank', ...attrs } };
        expect(tidy((await stored(id)).fields.body)).toEqual({
          type: 'doc',
          content: [paragraph(text('here', changed))],
        });
      };
      await openDialog();
      await dialog.getByRole('radio', { name: 'Entry', exact: true }).check();
      expect(await desk.button('Set link').isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
      const pick = (name: string) => page.getByRole('dialog').last().getByRole('button', { name }).click();
      await pick(title);
      await dialog.getByText(title, { exact: false }).waitFor();
      const anchor = dialog.getByRole('textbox', { name: 'Anchor (optional)', exact: true });
      await anchor.fill('two words');
      await dialog.getByText('An anchor has at most 200 characters', { exact: false }).waitFor();
      expect(await desk.button('Set link').isDisabled()).toBe(true);
      await anchor.fill('quay');
      expect(await desk.findings()).toEqual([]);
      await linked({ entryId: target.id, anchor: 'quay' });
      await openDialog();
      expect(await dialog.getByRole('radio', { name: 'Entry', exact: true }).isChecked()).toBe(true);
      await dialog.getByRole('radio', { name: 'File', exact: true }).check();
      await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
      await pick(picture.fileName);
      await linked({ assetId: picture.id });
      await openDialog();
      await dialog.getByRole('radio', { name: 'Address', exact: true }).check();
      await dialog.getByRole('textbox', { name: 'Address of the link', exact: true }).fill('/new');
      await linked({ href: '/new' });
    });

    it('offers only what the field allows', async () => {
      const { app, project, open } = scene();
      await createType(app, project, {
        apiName: 'limited',
        fields: [
          {
            apiName: 'body',
            type: 'richText',
            validations: { allowedEmbeds: ['image/*'], allowedLinks: ['author'] },
          },
        ],
      });
      const { id } = await createEntry(app, project, {
        contentTypeApiName: 'limited',
        fields: {
          body: {
            type: 'doc',
            content: [paragraph(text('Limits', { type: 'link', attrs: { href: '/a' } }))],
          },
        },
      });
      await createEntry(app, project, { contentTypeApiName: 'author', fields: { name: 'Ada' } });
      await scene().article({ title: 'Not offered' });
      const desk = await open(id);
      await desk.button('Insert a picture or file').waitFor();
      expect(await desk.button('Embed an entry').count()).toBe(0);
      await desk.button('Mention an entry').click();
      const choices = desk.page.getByRole('dialog').locator('.choice');
      await choices.getByText('Ada', { exact: true }).waitFor();
      expect(await choices.getByText('Not offered', { exact: true }).count()).toBe(0);
      await choices.getByText('Ada', { exact: true }).click();
      await bodyOf(desk).locator('.mention').getByText('Ada', { exact: true }).waitFor();
      await bodyOf(desk).getByText('Limits', { exact: true }).click();
      await desk.button('Link').click();
      const kinds = desk.page.getByRole('dialog').getByRole('radio');
      await kinds.first().waitFor();
      expect(
        await kinds.evaluateAll((found) => found.map((one) => (one as unknown as { value: string }).value)),
      ).toEqual(['href', 'entryId']);
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
      await paste(desk, { 'text/html': html });
      await kept(desk);
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
