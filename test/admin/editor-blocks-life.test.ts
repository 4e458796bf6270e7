import { describe, expect, it } from '@jest/globals';
import { placeOf } from '../support/admin-desk.js';
import {
  item,
  kept,
  pageReview,
  quote,
  showLocale,
  unfold,
  useBlockScene,
  wordsOf,
} from '../support/block-desk.js';
import { chooseAction, titleIn } from '../support/editor-desk.js';
import { branch } from '../support/factories/branch.js';
import { must } from '../support/call.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';
import { indexAll } from '../management/search/scene.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The life of a page with blocks in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useBlockScene();
    const wordsIn = async (id: string, locale = 'en') =>
      ((await scene().stored(id, locale)).fields.parts as ReturnType<typeof quote>[]).map(
        ({ fields }) => fields.words,
      );

    it('a page with blocks is translated, approved, published, duplicated, found, promoted and restored', async () => {
      const { app, project, call } = scene();
      await call('POST', '/workflows', pageReview);
      const parts = [quote('The ferry leaves'), quote('The gate opens')];
      const { id, fields } = await scene().page({ title: 'Upper lock', parts });
      const refs = (fields.parts as { _ref: string }[]).map(({ _ref }) => _ref);

      const desk = await scene().open(id, '?locale=de&beside=en');
      const { page, button } = desk;
      await titleIn(desk).fill('Obere Schleuse');
      await unfold(desk, 'Parts, item 1');
      await wordsOf(item(desk, 'Parts, item 1')).fill('Die Fähre legt ab');
      await unfold(desk, 'Parts, item 2');
      await wordsOf(item(desk, 'Parts, item 2')).fill('Das Tor geht auf');
      await kept(desk);
      expect(await wordsIn(id, 'de')).toEqual(['Die Fähre legt ab', 'Das Tor geht auf']);

      await button('Workflow').click();
      await button('Ask for a review').click();
      await button('Approve').click();
      await page.getByText('In review → Approved', { exact: true }).waitFor();
      for (const locale of ['de', 'en']) {
        await showLocale(desk, locale);
        await button('Publish').click();
        await waitFor(`${locale} is published`, async () => {
          return (await scene().stored(id, locale)).status === 'published';
        });
      }

      await chooseAction(desk, 'Duplicate …');
      await page.getByRole('dialog').getByRole('button', { name: 'Duplicate', exact: true }).click();
      await page.getByText('Duplicated as a draft', { exact: true }).waitFor();
      await waitFor('the copy is open', () => Promise.resolve(!page.url().includes(id)));
      const [, copy = ''] = /entries\/([^?]+)/.exec(page.url()) ?? [];
      await unfold(desk, 'Parts, item 1');
      await wordsOf(item(desk, 'Parts, item 1')).fill('The barge unloads');
      await kept(desk);
      expect(await wordsIn(copy)).toEqual(['The barge unloads', 'The gate opens']);
      expect(await wordsIn(id)).toEqual(['The ferry leaves', 'The gate opens']);

      await indexAll(app);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find an entry/ }).fill('ferry leaves');
      const found = page.getByRole('option', { name: /Upper lock/ });
      await found.waitFor();
      await found.click();
      await page.waitForURL(new RegExp(`entries/${id}`));

      const slug = await branch({ app, project });
      const reversed = [{ _ref: refs[1], fields: { words: 'The gate is shut' } }, { _ref: refs[0] }];
      const { management, keys } = project;
      const address = { path: `${management}/entries/${id}`, key: keys.management, environment: slug };
      const { version } = await must<{ version: number }>(app, { method: 'GET', ...address });
      const change = { version, fields: { title: 'Lower lock', parts: reversed } };
      await must(app, { method: 'PUT', ...address, body: change });
      await desk.open(`${placeOf(project)}/environments`);
      await page
        .getByRole('row', { name: new RegExp(slug) })
        .getByRole('link', { name: 'Compare and promote', exact: true })
        .click();
      await page
        .getByRole('checkbox', { name: /^Promote /, exact: false })
        .first()
        .check();
      await button('Promote 1 items').click();
      await button('Promote').click();
      const outcome = page.getByRole('dialog');
      await outcome.getByText('0 created, 1 updated, 0 deleted', { exact: true }).waitFor();
      expect(await wordsIn(id)).toEqual(['The gate is shut', 'The ferry leaves']);
      expect(await wordsIn(id, 'de')).toEqual(['Das Tor geht auf', 'Die Fähre legt ab']);
      expect((await scene().stored(id)).workflow?.state).toBe('draft');
      await outcome.getByRole('button', { name: 'Close', exact: true }).last().click();

      await desk.open(`${placeOf(project)}/entries/${id}`);
      await button('Versions').click();
      await button('Restore').last().click();
      await page.getByText('Version 1 restored as a draft', { exact: true }).waitFor();
      expect(await wordsIn(id)).toEqual(['The ferry leaves', 'The gate opens']);
      expect(desk.errors).toEqual([]);
    });
  },
);
