import { describe, expect, it } from '@jest/globals';
import {
  addBlock,
  blocksIn,
  item,
  pageReview,
  showLocale,
  unfold,
  useBlockScene,
  wordsOf,
} from '../support/block-desk.js';
import { placeOf } from '../support/admin-desk.js';
import { fieldIn, kept, titleIn } from '../support/editor-desk.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The review of a page with blocks in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useBlockScene();

    it('a page with nested blocks is built, translated, refused, corrected, approved by another and published', async () => {
      const { app, project, call } = scene();
      await call('POST', '/workflows', pageReview);
      const { id } = await scene().page({ title: 'River' });
      const reviewer = await createMember(app, project, [await systemRoleId(app, project, 'editor')]);
      const stateOf = async () => (await scene().stored(id)).workflow?.state;

      const desk = await scene().open(id);
      const { page, button } = desk;
      await addBlock(desk, 'Parts', 'Group');
      await fieldIn(desk, 'Heading').fill('Locks');
      for (const [place, words] of [
        ['Items, item 1', 'The gate opens'],
        ['Items, item 2', 'The gate shuts'],
      ] as const) {
        await addBlock(desk, 'Items', 'Quote');
        await wordsOf(item(desk, place)).fill(words);
      }
      await kept(desk);

      await desk.open(`${placeOf(project)}/entries/${id}?locale=de&beside=en`);
      await titleIn(desk).fill('Fluss');
      await unfold(desk, 'Parts, item 1');
      await fieldIn(desk, 'Heading').fill('Schleusen');
      await unfold(desk, 'Items, item 1');
      await wordsOf(item(desk, 'Items, item 1')).fill('Das Tor geht auf');
      await kept(desk);
      await button('Workflow').click();
      await button('Ask for a review').click();
      await page.getByText('Draft → In review', { exact: true }).waitFor();

      const other = await scene().open(id, '?locale=de&panel=workflow', {
        email: reviewer.email,
        password: memberPassword,
      });
      await other.button('Request changes').waitFor();
      await other.page.getByRole('textbox', { name: 'Comment', exact: true }).fill('One text is missing.');
      await other.button('Request changes').click();
      await other.page.getByText('In review → Draft', { exact: true }).waitFor();
      expect(await stateOf()).toBe('draft');

      // The editor hands it in unchanged; it is approved, and the publication names what is missing.
      await page.reload();
      await button('Ask for a review').click();
      await page.getByText('Draft → In review', { exact: true }).first().waitFor();
      await other.page.reload();
      await other.button('Approve').click();
      await other.page.getByText('In review → Approved', { exact: true }).waitFor();
      await other.button('Publish').click();
      const missing = item(other, 'Items, item 2');
      await missing.locator('.problem').waitFor();
      expect(await wordsOf(missing).getAttribute('aria-invalid')).toBe('true');
      expect(await item(other, 'Items, item 1').locator('.problem').count()).toBe(0);
      expect(await other.findings()).toEqual([]);

      await page.reload();
      await unfold(desk, 'Parts, item 1', 'Items, item 2');
      await wordsOf(item(desk, 'Items, item 2')).fill('Das Tor geht zu');
      await kept(desk);
      expect(await stateOf()).toBe('draft');
      await button('Ask for a review').click();
      await waitFor('it is handed in again', async () => (await stateOf()) === 'review');
      await other.page.reload();
      await other.button('Approve').click();
      await waitFor('it is approved again', async () => (await stateOf()) === 'approved');
      for (const locale of ['de', 'en']) {
        await showLocale(other, locale);
        await other.button('Publish').click();
        await waitFor(`${locale} is published`, async () => {
          return (await scene().stored(id, locale)).status === 'published';
        });
      }
      const path = `${project.delivery}/entries/${id}?include=2&locale=de`;
      const { parts } = (await app.request.get(path)).body.data.fields;
      expect(blocksIn(parts[0].fields, 'items').map(({ fields }) => fields.words)).toEqual([
        'Das Tor geht auf',
        'Das Tor geht zu',
      ]);
      expect([...desk.errors, ...other.errors]).toEqual([]);
    });
  },
);
