import { describe, expect, it } from '@jest/globals';
import type { Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { useEditorScene } from '../support/editor-desk.js';
import { unique } from '../support/factories/project.js';
import { reach } from '../support/keyboard.js';
import { waitFor } from '../support/wait-for.js';

interface Link {
  readonly _ref: string;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'References created in place in a browser (need /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useEditorScene();
    const named = (type: string, name: string) =>
      scene().call<{ id: string }[]>('GET', `/entries?contentTypeApiName=${type}&q=${name}`);
    const form = ({ page }: Desk) =>
      page.getByRole('dialog', { name: 'New entry: Type', exact: true }).last();

    it('by keyboard alone: an author is created from the picker and linked', async () => {
      const name = `Ada ${unique()}`;
      const { id } = await scene().article({ title: 'With an author' });
      const desk = await scene().open(id);
      const { page } = desk;
      await reach(page, desk.button('Choose: Author'));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Choose an entry', exact: true }).waitFor();
      await reach(page, desk.button('New Type'));
      await page.keyboard.press('Enter');
      await reach(page, form(desk).getByRole('textbox', { name: 'Name required to publish', exact: true }));
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-create');
      await page.keyboard.type(name);
      await reach(page, desk.button('Create and link'));
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: 'Author all locales', exact: true }).getByText(name).waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
      const [author] = await named('author', name);
      const { fields } = await scene().stored(id);
      expect((fields.author as Link)._ref).toBe(author?.id);
      expect(desk.errors).toEqual([]);
    });

    it('an entry that is refused shows why and is created when it is corrected', async () => {
      const name = `Slug ${unique()}`;
      const { id } = await scene().article({ title: 'With a strict author' });
      const desk = await scene().open(id);
      await desk.button('Choose: Author').click();
      await desk.button('New Type').click();
      await form(desk).getByRole('textbox', { name: 'Name required to publish', exact: true }).fill(name);
      await form(desk).getByRole('textbox', { name: 'Slug', exact: true }).fill('not a slug');
      await desk.button('Create and link').click();
      await form(desk)
        .getByText('Spaces, slashes and the characters ? # % are not possible here.', { exact: true })
        .waitFor();
      await form(desk).getByRole('textbox', { name: 'Slug', exact: true }).fill('');
      await desk.button('Create and link').click();
      await desk.page
        .getByRole('group', { name: 'Author all locales', exact: true })
        .getByText(name)
        .waitFor();
    });

    it('canceling leaves nothing behind, not even what was created for a field inside', async () => {
      const [outer, inner] = [`Outer ${unique()}`, `Inner ${unique()}`];
      const { id } = await scene().article({ title: 'With related articles' });
      const desk = await scene().open(id);
      const { page } = desk;
      await desk.button('Add to Related').click();
      await desk.button('Choose: Related, item 1').click();
      await desk.button('New Type').click();
      await form(desk).getByRole('textbox', { name: 'Title required to publish', exact: true }).fill(outer);
      await form(desk).getByRole('button', { name: 'Choose: Author', exact: true }).click();
      await desk.button('New Type').click();
      await form(desk).getByRole('textbox', { name: 'Name required to publish', exact: true }).fill(inner);
      await form(desk).getByRole('button', { name: 'Create and link', exact: true }).click();
      await form(desk).getByText(inner).waitFor();
      expect(await named('author', inner)).toHaveLength(1);
      await page.keyboard.press('Escape');
      await form(desk).getByText('Discard what you typed?', { exact: true }).waitFor();
      await desk.button('Stay').click();
      await form(desk).getByRole('button', { name: 'Cancel', exact: true }).click();
      await desk.button('Discard changes').click();
      await page.getByRole('dialog', { name: 'Choose an entry', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await named('article', outer)).toEqual([]);
      await waitFor(
        'the author is deleted with the form',
        async () => (await named('author', inner)).length === 0,
      );
    });

    it('entries are created in dialogs up to three deep', async () => {
      const { id } = await scene().article({ title: 'Deep' });
      const desk = await scene().open(id);
      for (let depth = 0; depth < 3; depth += 1) {
        const around = depth === 0 ? desk.page.locator('main') : form(desk);
        await around.getByRole('button', { name: 'Add to Related', exact: true }).last().click();
        await around.getByRole('button', { name: 'Choose: Related, item 1', exact: true }).last().click();
        await desk.button('New Type').click();
        await form(desk)
          .getByRole('textbox', { name: 'Title required to publish', exact: true })
          .fill(`Level ${String(depth)}`);
      }
      await form(desk).getByRole('button', { name: 'Choose: Author', exact: true }).click();
      await desk.page
        .getByRole('dialog', { name: 'Choose an entry', exact: true })
        .getByRole('searchbox', { name: 'Search', exact: true })
        .waitFor();
      expect(await desk.button('New Type').count()).toBe(0);
    });
  },
);
