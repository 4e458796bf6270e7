import { describe, expect, it } from '@jest/globals';
import {
  addBlock,
  blocksIn,
  item,
  quote,
  showLocale,
  unfold,
  useBlockScene,
  wordsOf,
} from '../support/block-desk.js';
import { isLaidOut } from '../support/element-state.js';
import { fieldIn, saved, titleIn } from '../support/editor-desk.js';
import { placeOf } from '../support/admin-desk.js';
import { createEntry, createType } from '../support/factories/content.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Blocks of an entry in a browser (need /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useBlockScene();

    it('a page with two blocks, one nested, is written, moved, translated, published and delivered', async () => {
      const { id } = await scene().page({ title: 'River' });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await addBlock(desk, 'Parts', 'Quote');
      await fieldIn(desk, 'Words').fill('Water');
      await addBlock(desk, 'Parts', 'Group');
      await fieldIn(desk, 'Heading').fill('Locks');
      await addBlock(desk, 'Items', 'Quote');
      await wordsOf(item(desk, 'Items, item 1')).fill('Gate');
      await button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      const created = blocksIn((await scene().stored(id)).fields);
      expect(created).toMatchObject([
        { _type: 'quote', fields: { words: 'Water' } },
        {
          _type: 'group',
          fields: { heading: 'Locks', items: [{ _type: 'quote', fields: { words: 'Gate' } }] },
        },
      ]);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-blocks');

      await wordsOf(item(desk, 'Items, item 1')).fill('Gate of oak');
      await page
        .getByRole('textbox', { name: /^Speaker/ })
        .last()
        .fill('Ada');
      await button('Move up: Parts, item 2').click();
      await saved(desk);
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      const moved = blocksIn((await scene().stored(id)).fields);
      expect(moved.map(({ _ref }) => _ref)).toEqual(created.map(({ _ref }) => _ref).reverse());
      expect(blocksIn(moved[0]?.fields ?? {}, 'items')).toEqual([
        {
          ...blocksIn(created[1]?.fields ?? {}, 'items')[0],
          fields: { words: 'Gate of oak', speaker: 'Ada' },
        },
      ]);

      await showLocale(desk, 'de');
      await unfold(desk, 'Parts, item 2');
      await wordsOf(item(desk, 'Parts, item 2')).fill('Wasser');
      await unfold(desk, 'Parts, item 1');
      await fieldIn(desk, 'Heading').fill('Schleusen');
      await unfold(desk, 'Items, item 1');
      expect(
        await page
          .getByRole('textbox', { name: /^Speaker/ })
          .first()
          .inputValue(),
      ).toBe('Ada');
      await wordsOf(item(desk, 'Items, item 1')).fill('Tor');
      await titleIn(desk).fill('Fluss');
      await button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      for (const locale of ['de', 'en']) {
        await showLocale(desk, locale);
        await button('Publish').click();
        await waitFor(`${locale} is published`, async () => {
          return (await scene().stored(id, locale)).status === 'published';
        });
      }

      const { app, project } = scene();
      const read = async (locale: string) => {
        const path = `${project.delivery}/entries/${id}?include=2&locale=${locale}`;
        return (await app.request.get(path)).body.data.fields.parts;
      };
      const tree = (heading: string, inner: string, words: string) => [
        {
          _type: 'group',
          fields: { heading, items: [{ _type: 'quote', fields: { words: inner, speaker: 'Ada' } }] },
        },
        { _type: 'quote', fields: { words } },
      ];
      expect(await read('en')).toMatchObject(tree('Locks', 'Gate of oak', 'Water'));
      expect(await read('de')).toMatchObject(tree('Schleusen', 'Tor', 'Wasser'));
      expect(desk.errors).toEqual([]);
    });

    it('a group is shown in its place, is made with its first value, and cleared', async () => {
      const { app, project } = scene();
      const facts = {
        type: 'blocks',
        settings: { contentTypes: ['quote'], shape: 'group' },
        localized: false,
      };
      await createType(app, project, {
        apiName: 'card',
        name: 'Card',
        displayField: 'title',
        fields: [
          { apiName: 'title', name: 'Title', type: 'text' },
          { ...facts, apiName: 'motto', name: 'Motto', validations: { maxItems: 1 } },
          { ...facts, apiName: 'voices', name: 'Voices' },
        ],
      });
      const { id } = await createEntry(app, project, {
        contentTypeApiName: 'card',
        fields: { title: 'Card' },
      });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await fieldIn(desk, 'Words').fill('Slowly');
      await button('Add to Voices').click();
      await wordsOf(item(desk, 'Voices, item 1')).fill('Loudly');
      await saved(desk);
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      const written = (words: string) => ({ ...quote(words), _ref: expect.any(String) });
      const { fields } = await scene().stored(id);
      expect(fields).toMatchObject({ motto: written('Slowly'), voices: [written('Loudly')] });
      await fieldIn(desk, 'Words').first().fill('Slowly again');
      await page.getByText('Unsaved changes', { exact: true }).waitFor();
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      const { _ref } = fields.motto as { _ref: string };
      expect((await scene().stored(id)).fields.motto).toEqual({ _ref, ...quote('Slowly again') });
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-groups');
      await button('Clear: Motto').click();
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      expect((await scene().stored(id)).fields.motto ?? null).toBeNull();
      expect(desk.errors).toEqual([]);
    });

    it('a shared block is linked, shown as such with the way to its entry, and removed', async () => {
      const { id: shared } = await createEntry(scene().app, scene().project, {
        contentTypeApiName: 'quote',
        fields: { words: 'Used everywhere' },
      });
      const { id } = await scene().page({ title: 'Links', parts: [quote('Own')] });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await button('Add to Parts').click();
      await button('Shared block …').click();
      await page.getByRole('dialog').getByText('Used everywhere', { exact: true }).click();
      const linked = item(desk, 'Parts, item 2');
      await linked.getByText('Shared', { exact: true }).waitFor();
      await linked.getByText('Used everywhere', { exact: false }).waitFor();
      const link = linked.getByRole('link', { name: 'Open in a new tab: Used everywhere', exact: true });
      expect(await link.getAttribute('href')).toContain(shared);
      await saved(desk);
      const own = { _ref: expect.any(String), _type: 'quote', fields: { words: 'Own' } };
      const parts = async () => (await scene().stored(id)).fields.parts;
      expect(await parts()).toEqual([own, { _ref: shared, _type: 'quote' }]);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-blocks-shared');
      await button('Remove: Parts, item 2').click();
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      expect(await parts()).toEqual([own]);
    });

    it('a block is shared with what was typed in it, and detached again', async () => {
      const { id } = await scene().page({ title: 'Shared', parts: [quote('Alone')] });
      const desk = await scene().open(id);
      const { page, button } = desk;
      const [own] = blocksIn((await scene().stored(id)).fields);
      await unfold(desk, 'Parts, item 1');
      await wordsOf(item(desk, 'Parts, item 1')).fill('For all');
      await button('Share: Parts, item 1').click();
      await page.getByText('The block is shared now', { exact: true }).waitFor();
      const link = { _ref: own?._ref, _type: 'quote' };
      expect((await scene().stored(id)).fields.parts).toEqual([link]);
      expect((await scene().stored(own?._ref ?? '')).fields.words).toBe('For all');
      await button('Detach: Parts, item 1').click();
      await page.getByText('The block belongs to this entry now', { exact: true }).waitFor();
      const [copy] = blocksIn((await scene().stored(id)).fields);
      expect(copy).toEqual({ ...quote('For all'), _ref: expect.not.stringContaining(own?._ref ?? '') });
      await unfold(desk, 'Parts, item 1');
      expect(await wordsOf(item(desk, 'Parts, item 1')).inputValue()).toBe('For all');
      expect(desk.errors).toEqual([]);
    });

    it('blocks are inserted between, duplicated, dragged, folded, removed and taken back, and pasted on another page', async () => {
      const { id } = await scene().page({ title: 'One', parts: [quote('First'), quote('Last')] });
      const { id: other } = await scene().page({ title: 'Other' });
      const desk = await scene().open(id);
      const { page, button } = desk;
      const words = async (entry = id) =>
        (blocksIn((await scene().stored(entry)).fields) ?? []).map(({ fields }) => fields.words);
      const shows = async (expected: string[], entry = id) => {
        await page.keyboard.press('Control+s');
        await waitFor(
          `the blocks are ${expected.join()}`,
          async () => (await words(entry)).join() === expected.join(),
        );
      };
      await button('Insert before Parts, item 2').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Quote', exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-block-palette');
      await page.getByRole('dialog').getByRole('button', { name: 'Quote', exact: true }).click();
      await wordsOf(item(desk, 'Parts, item 2')).fill('Middle');
      await button('Duplicate: Parts, item 2').click();
      await wordsOf(item(desk, 'Parts, item 3')).fill('Again');
      await shows(['First', 'Middle', 'Again', 'Last']);
      const stored = blocksIn((await scene().stored(id)).fields);
      expect(new Set(stored.map(({ _ref }) => _ref)).size).toBe(4);
      await button('Fold all : Parts').click();
      await waitFor(
        'every block is folded',
        async () => (await page.getByRole('textbox', { name: /^Words/ }).count()) === 0,
      );
      await desk.picture('editor-block-list');

      await button('Drag: Parts, item 1').focus();
      await page.keyboard.press('Space');
      await page.getByText('Parts, item 1 is over place 1', { exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.getByText('Parts, item 1 is over place 2', { exact: true }).waitFor();
      await page.keyboard.press('Space');
      await shows(['Middle', 'First', 'Again', 'Last']);
      const target = await button('Drag: Parts, item 1').boundingBox();
      await button('Drag: Parts, item 4').hover();
      await page.mouse.down();
      await page.mouse.move(target?.x ?? 0, (target?.y ?? 0) - 4, { steps: 12 });
      await page.getByText('Parts, item 4 is over place 1', { exact: true }).waitFor();
      await page.mouse.up();
      await shows(['Last', 'Middle', 'First', 'Again']);
      await button('Remove: Parts, item 2').click();
      await shows(['Last', 'First', 'Again']);
      await button('Undo').click();
      await shows(['Last', 'Middle', 'First', 'Again']);

      await button('Copy: Parts, item 2').click();
      await page.getByText('Block copied. It can be pasted on other pages.', { exact: true }).waitFor();
      await desk.open(`${placeOf(scene().project)}/entries/${other}`);
      await button('Paste block into Parts').click();
      await shows(['Middle'], other);
      expect(desk.errors).toEqual([]);
    });

    it('300 blocks have as many inputs as none until one is unfolded, and only those in view are laid out', async () => {
      const parts = Array.from({ length: 300 }, (_, index) => quote(`Words ${String(index)}`));
      const { id } = await scene().page({ title: 'Long', parts });
      const { id: other } = await scene().page({ title: 'Short' });
      const desk = await scene().open(other);
      const inputs = desk.page.locator('.editor-form :is(input, textarea, select, [contenteditable])');
      await titleIn(desk).waitFor();
      const inShort = await inputs.count();
      await desk.open(`${placeOf(scene().project)}/entries/${id}`);
      await item(desk, 'Parts, item 300').waitFor();
      expect(await inputs.count()).toBe(inShort);
      const isDrawn = (index: number): Promise<boolean> =>
        isLaidOut(desk.button(`Edit: Parts, item ${String(index)}`));
      expect([await isDrawn(1), await isDrawn(300)]).toEqual([true, false]);
      await unfold(desk, 'Parts, item 300');
      expect(await wordsOf(item(desk, 'Parts, item 300')).inputValue()).toBe('Words 299');
      expect(await inputs.count()).toBe(inShort + 2);
    });

    it('blocks of an entry that is created by a form are written with it', async () => {
      const { project } = scene();
      const desk = await scene().open((await scene().page({ title: 'Before' })).id);
      const { page } = desk;
      await desk.open(`${placeOf(project)}/new/page`);
      await titleIn(desk).fill('Made at once');
      await addBlock(desk, 'Parts', 'Quote');
      await fieldIn(desk, 'Words').fill('From the start');
      await desk.button('Create draft').click();
      await page.waitForURL(/entries\/[0-9a-f-]{36}/);
      const id = /entries\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
      expect((await scene().stored(id)).fields.parts).toMatchObject([quote('From the start')]);
    });
  },
);
