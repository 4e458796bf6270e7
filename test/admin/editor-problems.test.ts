import { describe, expect, it } from '@jest/globals';
import { item, quote, useBlockScene, wordsOf } from '../support/block-desk.js';
import { chooseAction, saved, titleIn } from '../support/editor-desk.js';
import type { Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { roomBeside } from '../support/element-state.js';
import { createEntry, createType } from '../support/factories/content.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

/** Pixels that the arrow of a list takes. */
const ARROW = 20;

const focused = ({ page }: Desk): Promise<string> =>
  page.evaluate<string>("document.activeElement?.closest('[data-path]')?.dataset.path ?? ''");

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'What keeps an entry from being published, in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useBlockScene();

    it('the field that the address names has the focus, inside blocks too', async () => {
      const { app, project } = scene();
      await createType(app, project, {
        apiName: 'poster',
        name: 'Poster',
        displayField: 'title',
        fields: [
          { apiName: 'title', name: 'Title', type: 'text' },
          {
            apiName: 'parts',
            name: 'Parts',
            type: 'blocks',
            settings: { contentTypes: ['group'] },
          },
        ],
      });
      const group = { _type: 'group', fields: { heading: 'Locks' } };
      const { id, fields } = await createEntry(app, project, {
        contentTypeApiName: 'poster',
        fields: { title: 'Open', parts: [group] },
      });
      const [part] = (fields as { parts: { _ref: string }[] }).parts;
      const path = `parts[${part?._ref ?? ''}].heading`;
      const desk = await scene().open(id, `?field=${encodeURIComponent(path)}`);
      await waitFor('the field in the block has the focus', async () => (await focused(desk)) === path);
    });

    it('problems are listed with links, the first field is focused, and each vanishes when it is corrected', async () => {
      const { app, project } = scene();
      await createType(app, project, {
        apiName: 'roster',
        name: 'Roster',
        displayField: 'title',
        fields: [
          { apiName: 'title', name: 'Title', type: 'text', required: true },
          { apiName: 'numbers', name: 'Numbers', type: 'integer', isList: true, localized: false },
          {
            apiName: 'parts',
            name: 'Parts',
            type: 'blocks',
            settings: { contentTypes: ['group'] },
          },
        ],
      });
      const group = { _type: 'group', fields: { heading: 'Locks', items: [{ _type: 'quote', fields: {} }] } };
      const { id } = await createEntry(app, project, {
        contentTypeApiName: 'roster',
        fields: { numbers: [1, 2], parts: [group] },
      });
      const desk = await scene().open(id);
      const { page, button } = desk;
      const list = page.getByRole('navigation', { name: 'To correct', exact: true });
      await button('Publish').click();
      await page.getByText('Please correct 2 fields.', { exact: true }).waitFor();
      await waitFor('the first field has the focus', async () => (await focused(desk)) === 'title');
      expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^Title /),
        expect.stringMatching(/^Parts › 1\. Group › Items › 1\. Quote › Words /),
      ]);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-problems');
      await button('Fold: Parts, item 1').click();
      await list.getByRole('button', { name: /Words$/ }).click();
      await waitFor('the block is open', async () => (await focused(desk)).endsWith('.words'));
      expect(await wordsOf(item(desk, 'Items, item 1')).getAttribute('aria-invalid')).toBe('true');

      await page.keyboard.type('Gate');
      await page.getByText('Please correct one field.', { exact: true }).waitFor();
      await titleIn(desk).fill('Crew');
      await list.waitFor({ state: 'detached' });

      await page.getByRole('textbox', { name: 'Numbers, item 2', exact: true }).fill('many');
      await button('Save draft').click();
      await list.getByRole('button', { name: 'Numbers, item 2', exact: true }).waitFor();
      await waitFor('the item has the focus', async () => (await focused(desk)) === 'numbers[#1]');
      await page.getByRole('textbox', { name: 'Numbers, item 2', exact: true }).fill('3');
      await list.waitFor({ state: 'detached' });
      await button('Publish').click();
      await page.getByText('Published in English (en)', { exact: true }).waitFor();
      expect(await scene().stored(id)).toMatchObject({ status: 'published', fields: { numbers: [1, 3] } });
      expect(desk.errors).toEqual([]);
    });

    it('Publish stays in its place while the entry is typed, saved and refused, at every width', async () => {
      const { id } = await scene().article({ title: 'In its place' });
      const desk = await scene().open(id);
      const { page, button } = desk;
      for (const width of [390, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const place = await button('Publish').boundingBox();
        expect(place).not.toBeNull();
        await titleIn(desk).fill(`As wide as ${String(width)}`);
        await page.getByText('Unsaved changes', { exact: true }).waitFor();
        expect(await button('Publish').boundingBox()).toEqual(place);
        await saved(desk);
        expect(await button('Publish').boundingBox()).toEqual(place);
        await titleIn(desk).fill('');
        await button('Publish').click();
        await page.getByText('Please correct one field.', { exact: true }).waitFor();
        expect(await button('Publish').boundingBox()).toEqual(place);
      }
    });

    it('a referenced draft is named by its title, and published along after a question', async () => {
      const { app, project } = scene();
      await createType(app, project, {
        apiName: 'chapter',
        name: 'Chapter',
        displayField: 'title',
        fields: [
          { apiName: 'title', name: 'Title', type: 'text' },
          {
            apiName: 'author',
            name: 'Author',
            type: 'reference',
            required: true,
            settings: { contentTypes: ['author'] },
          },
        ],
      });
      const drafted = await createEntry(app, project, {
        contentTypeApiName: 'author',
        slug: 'rita',
        fields: {},
      });
      const { id } = await createEntry(app, project, {
        contentTypeApiName: 'chapter',
        fields: { title: 'One', author: { _ref: drafted.id, _type: 'author' } },
      });
      const desk = await scene().open(id, '?panel=publication');
      const { page, button } = desk;
      await button('Check the draft').click();
      await page.getByText('Version 1 can be published.', { exact: true }).waitFor();
      await page.getByText('rita is not published.', { exact: true }).waitFor();
      expect(await page.getByText(drafted.id).count()).toBe(0);

      await button('Publish').click();
      const dialog = page.getByRole('dialog', { name: 'Publish these entries as well?', exact: true });
      await dialog.getByText('rita is not published.', { exact: true }).waitFor();
      await dialog.getByText(/^They cannot be published together/).waitFor();
      await expectAccessible(desk, 'publish along');
      await desk.picture('editor-publish-along');
      await dialog.getByRole('button', { name: 'Publish all', exact: true }).click();
      const list = page.getByRole('navigation', { name: 'To correct', exact: true });
      await list.getByText(/^rita: name /i).waitFor();
      expect(await list.getByRole('link', { name: 'rita', exact: true }).getAttribute('href')).toContain(
        drafted.id,
      );
      await scene().call('PUT', `/entries/${drafted.id}`, { version: 1, fields: { name: 'Rita' } });
      await button('Publish').click();
      await dialog
        .getByRole('list', { name: '“Publish all” also publishes', exact: true })
        .getByRole('link', { name: 'Rita', exact: true })
        .waitFor();
      await dialog.getByRole('button', { name: 'Publish all', exact: true }).click();
      await page.getByText('Published in English (en)', { exact: true }).waitFor();
      for (const one of [id, drafted.id]) expect((await scene().stored(one)).status).toBe('published');
      expect(await list.count()).toBe(0);
      expect(desk.errors).toEqual([]);
    });

    it('an entry is taken offline after a question, and published again by taking that back', async () => {
      const { id } = await scene().page({ title: 'River' });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await button('Publish').click();
      await page.getByText('Published in English (en)', { exact: true }).waitFor();
      await button('Undo').click();
      await waitFor('the entry is a draft', async () => (await scene().stored(id)).status === 'draft');
      await button('Publish').click();
      await waitFor('the entry is live', async () => (await scene().stored(id)).status === 'published');

      await chooseAction(desk, 'Unpublish …');
      const dialog = page.getByRole('dialog', { name: 'Take “River” offline?', exact: true });
      await dialog.getByText(/no longer see it in English \(en\)/).waitFor();
      expect((await scene().stored(id)).status).toBe('published');
      expect(await desk.findings()).toEqual([]);
      await dialog.getByRole('button', { name: 'Unpublish', exact: true }).click();
      await page.getByText('Unpublished in English (en)', { exact: true }).waitFor();
      expect((await scene().stored(id)).status).toBe('draft');
      await button('Undo').click();
      await waitFor('the entry is live', async () => (await scene().stored(id)).status === 'published');
      expect(desk.errors).toEqual([]);
    });

    it('Publish, the locale and the panel stay in view while a long entry is scrolled', async () => {
      const parts = Array.from({ length: 40 }, (_, index) => quote(`Words ${String(index)}`));
      const states = [
        { key: 'draft', name: 'Draft', isInitial: true },
        { key: 'approved', name: 'Approved', allowsPublish: true },
      ];
      const transitions = [{ from: 'draft', to: 'approved', name: 'Approve' }];
      const workflow = { name: 'Pages', slug: 'pages', contentTypes: ['page'], states, transitions };
      await scene().call('POST', '/workflows', workflow);
      const { id } = await scene().page({ title: 'Long', parts });
      await scene().call('POST', `/entries/${id}/workflow`, { to: 'approved' });
      await scene().call('POST', `/entries/${id}/publish`, { locale: 'en' });
      const desk = await scene().open(id, '?panel=publication');
      const { page, button } = desk;
      await button('Workflow').waitFor();
      const locale = page.getByRole('combobox', { name: 'Locale', exact: true });
      const panel = page.getByRole('heading', { name: 'Publication', exact: true });
      for (const width of [390, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await item(desk, 'Parts, item 40').scrollIntoViewIfNeeded();
        const shown = width < 1000 ? [button('Publish'), locale] : [button('Publish'), locale, panel];
        for (const one of shown) {
          const { y = -1, height = 0 } = (await one.boundingBox()) ?? {};
          expect({ width, isAbove: y < 0, isBelow: y + height > 900 }).toEqual({
            width,
            isAbove: false,
            isBelow: false,
          });
        }
        const head = await page.locator('.entry-head').boundingBox();
        expect((head?.y ?? 0) + (head?.height ?? 900)).toBeLessThan(300);
        if (width > 390) expect(await roomBeside(locale)).toBeGreaterThanOrEqual(ARROW);
      }
      expect(desk.errors).toEqual([]);
    });
  },
);
