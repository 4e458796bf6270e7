import { beforeAll, describe, expect, it } from '@jest/globals';
import { placeOf } from '../support/admin-desk.js';
import {
  item,
  pageReview,
  quote,
  showLocale,
  unfold,
  useBlockScene,
  wordsOf,
} from '../support/block-desk.js';
import { chooseAction, kept, titleIn } from '../support/editor-desk.js';
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

    const page = (title: string, words: string[]) => scene().page({ title, parts: words.map(quote) });

    beforeAll(async () => {
      await scene().call('POST', '/workflows', pageReview);
    });

    it('a page with blocks is translated, approved and published', async () => {
      const { id } = await page('Upper lock', ['The ferry leaves', 'The gate opens']);
      const desk = await scene().open(id, '?locale=de&beside=en');
      const { button } = desk;
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
      await desk.page.getByText('In review → Approved', { exact: true }).waitFor();
      for (const locale of ['de', 'en']) {
        await showLocale(desk, locale);
        await button('Publish').click();
        await waitFor(`${locale} is published`, async () => {
          return (await scene().stored(id, locale)).status === 'published';
        });
      }
      expect(desk.errors).toEqual([]);
    });

    it('the blocks of a copy are changed without the original, which is found by their words', async () => {
      const { id } = await page('Tide mill', ['The wheel turns', 'The flour is ground']);
      const desk = await scene().open(id);
      const window = desk.page;
      await chooseAction(desk, 'Duplicate …');
      await window.getByRole('dialog').getByRole('button', { name: 'Duplicate', exact: true }).click();
      await window.getByText('Duplicated as a draft', { exact: true }).waitFor();
      await waitFor('the copy is open', () => Promise.resolve(!window.url().includes(id)));
      const [, copy = ''] = /entries\/([^?]+)/.exec(window.url()) ?? [];
      await unfold(desk, 'Parts, item 1');
      await wordsOf(item(desk, 'Parts, item 1')).fill('The barge unloads');
      await kept(desk);
      expect(await wordsIn(copy)).toEqual(['The barge unloads', 'The flour is ground']);
      expect(await wordsIn(id)).toEqual(['The wheel turns', 'The flour is ground']);

      await indexAll(scene().app);
      await window.keyboard.press('Control+k');
      await window.getByRole('combobox', { name: /^Find an entry/ }).fill('wheel turns');
      await window.getByRole('option', { name: /Tide mill/ }).click();
      await window.waitForURL(new RegExp(`entries/${id}`));
      expect(desk.errors).toEqual([]);
    });

    it('a page with blocks is promoted from an environment, and an old version is restored', async () => {
      const { app, project, call } = scene();
      const { id, fields } = await page('Old harbour', ['The crane lifts', 'The train waits']);
      const refs = (fields.parts as { _ref: string }[]).map(({ _ref }) => _ref);
      const { management, keys } = project;
      const german = [
        { _ref: refs[0], fields: { words: 'Der Kran hebt' } },
        { _ref: refs[1], fields: { words: 'Der Zug wartet' } },
      ];
      const at = { path: `${management}/entries/${id}`, key: keys.management };
      await must(app, {
        method: 'PUT',
        ...at,
        body: { version: 1, locale: 'de', fields: { parts: german } },
      });
      for (const to of ['review', 'approved']) await call('POST', `/entries/${id}/workflow`, { to });

      const slug = await branch({ app, project });
      const reversed = [{ _ref: refs[1], fields: { words: 'The train is late' } }, { _ref: refs[0] }];
      const there = { ...at, environment: slug };
      const { version } = await must<{ version: number }>(app, { method: 'GET', ...there });
      const change = { version, fields: { title: 'New harbour', parts: reversed } };
      await must(app, { method: 'PUT', ...there, body: change });

      const desk = await scene().open(id);
      const { page: window, button } = desk;
      await desk.open(`${placeOf(project)}/environments`);
      await window
        .getByRole('row', { name: new RegExp(slug) })
        .getByRole('link', { name: 'Compare and promote', exact: true })
        .click();
      await window
        .getByRole('checkbox', { name: /^Promote /, exact: false })
        .first()
        .check();
      await button('Promote 1 items').click();
      await button('Promote').click();
      const outcome = window.getByRole('dialog');
      await outcome.getByText('0 created, 1 updated, 0 deleted', { exact: true }).waitFor();
      expect(await wordsIn(id)).toEqual(['The train is late', 'The crane lifts']);
      expect(await wordsIn(id, 'de')).toEqual(['Der Zug wartet', 'Der Kran hebt']);
      expect((await scene().stored(id)).workflow?.state).toBe('draft');
      await outcome.getByRole('button', { name: 'Close', exact: true }).last().click();

      await desk.open(`${placeOf(project)}/entries/${id}`);
      await button('Versions').click();
      await button('Restore').last().click();
      await window.getByText('Version 1 restored as a draft', { exact: true }).waitFor();
      expect(await wordsIn(id)).toEqual(['The crane lifts', 'The train waits']);
      expect(desk.errors).toEqual([]);
    });
  },
);
