import { describe, expect, it } from '@jest/globals';
import { blocksIn, item, quote, unfold, useBlockScene, wordsOf } from '../support/block-desk.js';
import { saved, titleIn } from '../support/editor-desk.js';
import { selectCharacters, selectedCharacters } from '../support/element-state.js';
import { createMember, createRole, memberPassword } from '../support/members.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Blocks that several people edit in a browser (need /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useBlockScene();
    const partsOf = async (id: string, locale = 'en') => blocksIn((await scene().stored(id, locale)).fields);

    /** Changes a block as another client. */
    async function changeBlock(id: string, at: number, fields: Record<string, unknown>): Promise<void> {
      const { version, fields: values } = await scene().stored(id);
      const parts = blocksIn(values).map(({ _ref }, index) => ({
        _ref,
        fields: index === at ? fields : {},
      }));
      await scene().call('PUT', `/entries/${id}`, { version, fields: { parts } });
    }

    it('a field of a nested block is commented on, counted on the folded block and found from the thread', async () => {
      const group = { _type: 'group', fields: { heading: 'Locks', items: [quote('The gate is of oak')] } };
      const { id } = await scene().page({ title: 'Talk', parts: [quote('First'), group] });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await unfold(desk, 'Parts, item 2', 'Items, item 1');
      const words = wordsOf(item(desk, 'Items, item 1'));
      await selectCharacters(words, 4, 8);
      await item(desk, 'Items, item 1')
        .getByRole('button', { name: 'Comment on Words', exact: true })
        .click();
      const panel = page.getByRole('complementary', { name: 'Comments', exact: true });
      await panel
        .getByText('About a part of Parts › 2. Group › Items › 1. Quote › Words', { exact: true })
        .waitFor();
      await panel.getByRole('textbox', { name: 'New comment', exact: true }).fill('Still oak?');
      await panel.getByRole('button', { name: 'Comment', exact: true }).click();
      await panel.getByRole('article').getByText('Still oak?', { exact: true }).waitFor();
      const [, second] = blocksIn((await scene().stored(id)).fields);
      const [inner] = blocksIn(second?.fields ?? {}, 'items');
      expect(await scene().call('GET', `/entries/${id}/comments`)).toMatchObject([
        { text: 'Still oak?', anchor: { field: 'words', block: inner?._ref, from: 4, to: 8, quote: 'gate' } },
      ]);
      const counted = page.getByText('Comments: 1', { exact: true });
      expect(await counted.count()).toBe(0);
      await button('Fold: Parts, item 2').click();
      await counted.waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-blocks-comment');
      await panel
        .getByRole('button', { name: 'About Parts › 2. Group › Items › 1. Quote › Words', exact: true })
        .click();
      await words.waitFor();
      await waitFor('the words are selected', async () => (await selectedCharacters(words)) === 'gate');
      expect(
        await item(desk, 'Items, item 1').getByText('Comments on Words: 1', { exact: true }).count(),
      ).toBe(1);

      await button('Duplicate: Parts, item 1').click();
      const copy = item(desk, 'Parts, item 2');
      await copy.getByRole('button', { name: 'Comment on Words', exact: true }).click();
      await panel.getByText('Save the draft first: the block is not saved yet.', { exact: true }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('changes of other fields of a block are merged, and a conflict names the field in it', async () => {
      const { id } = await scene().page({ title: 'Both', parts: [quote('First'), quote('Second')] });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await unfold(desk, 'Parts, item 1', 'Parts, item 2');
      await changeBlock(id, 0, { speaker: 'Eve' });
      await wordsOf(item(desk, 'Parts, item 1')).fill('First, mine');
      await saved(desk);
      expect(await partsOf(id)).toMatchObject([
        { fields: { words: 'First, mine', speaker: 'Eve' } },
        { fields: { words: 'Second' } },
      ]);
      await changeBlock(id, 1, { words: 'Second, theirs' });
      await wordsOf(item(desk, 'Parts, item 2')).fill('Second, mine');
      await wordsOf(item(desk, 'Parts, item 1')).fill('First again');
      const dialog = page.getByRole('dialog', { name: 'Someone else has changed this entry', exact: true });
      const choice = dialog.getByRole('group', { name: 'Parts › 2. Quote › Words', exact: true });
      await choice.getByText('Second, mine', { exact: true }).waitFor();
      await choice.getByText('Second, theirs', { exact: true }).click();
      expect(await dialog.getByRole('group').count()).toBe(1);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-blocks-conflict');
      await button('Save with these values').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      expect(await wordsOf(item(desk, 'Parts, item 2')).inputValue()).toBe('Second, theirs');
      expect(await partsOf(id)).toMatchObject([
        { fields: { words: 'First again' } },
        { fields: { words: 'Second, theirs' } },
      ]);
    });

    it('what is missing for a publication is shown in the block, which unfolds and may be moved', async () => {
      const group = { _type: 'group', fields: { heading: 'Locks', items: [{ _type: 'quote', fields: {} }] } };
      const { id } = await scene().page({ title: 'Gaps', parts: [quote('Water'), group] });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await button('Publish').click();
      const inner = item(desk, 'Items, item 1');
      await inner.locator('.problem').waitFor();
      expect(await wordsOf(inner).getAttribute('aria-invalid')).toBe('true');
      expect(await item(desk, 'Parts, item 1').locator('.problem').count()).toBe(0);
      await button('Move up: Parts, item 2').click();
      await item(desk, 'Parts, item 1').locator('.problem').waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-blocks-problems');
      await saved(desk);
      await button('Publication').click();
      await button('Check the draft').click();
      const check = page.getByRole('region', { name: 'Check' });
      await check.getByText('Parts › 1. Group › Items › 1. Quote › Words', { exact: true }).waitFor();
      await wordsOf(inner).fill('Gate');
      await button('Publish').click();
      await waitFor('it is published', async () => (await scene().stored(id)).status === 'published');
      expect(await page.locator('.block .problem').count()).toBe(0);
    });

    it('changes in blocks that were not saved are recovered by their fields', async () => {
      const { id } = await scene().page({ title: 'Kept', parts: [quote('One'), quote('Two')] });
      const desk = await scene().open(id);
      const { page, button } = desk;
      await unfold(desk, 'Parts, item 1');
      await page.context().setOffline(true);
      await wordsOf(item(desk, 'Parts, item 1')).fill('Typed offline');
      await waitFor('the change is kept in the browser', () =>
        page.evaluate("Object.values(localStorage).some((value) => value.includes('Typed offline'))"),
      );
      await page.context().setOffline(false);
      await changeBlock(id, 1, { words: 'Two, theirs' });
      await page.reload();
      const dialog = page.getByRole('dialog', { name: 'Recover unsaved changes?', exact: true });
      await dialog.getByText('Parts › 1. Quote › Words', { exact: true }).waitFor();
      expect(await dialog.getByRole('heading', { level: 3 }).count()).toBe(1);
      await desk.picture('editor-blocks-recovery');
      await button('Recover').click();
      await saved(desk);
      expect((await partsOf(id)).map(({ fields }) => fields.words)).toEqual(['Typed offline', 'Two, theirs']);
    });

    it('versions name fields of blocks in words, and a removed block comes back with a restored one', async () => {
      const { id } = await scene().page({ title: 'Past', parts: [quote('Once'), quote('Always')] });
      const before = await partsOf(id);
      const desk = await scene().open(id);
      const { page, button } = desk;
      await unfold(desk, 'Parts, item 2');
      await wordsOf(item(desk, 'Parts, item 2')).fill('Ever since');
      await button('Remove: Parts, item 1').click();
      await saved(desk);
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      await button('Versions').click();
      await page.getByText(/Parts › 1\. Quote › Words/).waitFor();
      await button('Compare with the current version').last().click();
      const dialog = page.getByRole('dialog', { name: 'Version 1', exact: true });
      await dialog.getByRole('heading', { name: /^Parts › 1\. Quote › Words/ }).waitFor();
      await dialog.getByRole('heading', { name: /^Parts › 1\. Quote \(removed\) › Words/ }).waitFor();
      await dialog.getByText('Once', { exact: true }).waitFor();
      expect(await dialog.textContent()).not.toContain(before[0]?._ref);
      await desk.picture('editor-blocks-versions');
      await button('Close').last().click();
      await button('Restore').last().click();
      await page.getByText('Version 1 restored as a draft', { exact: true }).waitFor();
      expect(await partsOf(id)).toEqual(before);
      await item(desk, 'Parts, item 1').getByText('Once', { exact: true }).waitFor();
    });

    it('beside another locale, a translator writes in blocks and cannot change what all locales share', async () => {
      const group = { _type: 'group', fields: { heading: 'Locks', items: [quote('Gate')] } };
      const { id } = await scene().page({ title: 'Two', parts: [quote('Water'), group] });
      const { app, project } = scene();
      const reading = ['contentTypes', 'sites', 'entries'];
      const roleId = await createRole(app, project, [
        ...reading.map((resource) => ({ resource, action: 'read' })),
        { resource: 'entries', action: 'update', scope: { locales: ['de'] } },
      ]);
      const { email } = await createMember(app, project, [roleId]);
      const login = { email, password: memberPassword };
      const desk = await scene().open(id, '?locale=de&beside=en', login);
      const { page, button } = desk;
      await titleIn(desk).waitFor();
      await button('Show: Parts, English (en), item 1').click();
      const source = item(desk, 'Parts, English (en), item 1');
      expect(await wordsOf(source).isEditable()).toBe(false);
      expect(await page.getByRole('button', { name: /^(Add to|Move|Remove)/ }).count()).toBe(0);
      await unfold(desk, 'Parts, item 1');
      const mine = item(desk, 'Parts, item 1');
      expect(await mine.getByRole('textbox', { name: /^Speaker/ }).getAttribute('readonly')).not.toBeNull();
      await wordsOf(mine).fill('Wasser');
      await saved(desk);
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      expect(await partsOf(id, 'de')).toMatchObject([quote('Wasser'), { _type: 'group' }]);
      await button('Copy from English (en): Parts').click();
      await wordsOf(mine).and(page.locator('[value="Water"]')).waitFor();
      await desk.picture('editor-blocks-beside');
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      expect(await partsOf(id, 'de')).toEqual(await partsOf(id, 'en'));
      expect(desk.errors).toEqual([]);
    });
  },
);
