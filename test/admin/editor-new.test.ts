import { describe, expect, it } from '@jest/globals';
import { fieldIn, titleIn, useEditorScene } from '../support/editor-desk.js';
import { placeOf } from '../support/admin-desk.js';
import { createType } from '../support/factories/content.js';
import { hasBrowser } from '../support/optional-servers.js';
import { waitFor } from '../support/wait-for.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'A new entry in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useEditorScene();

    it('what was typed is recovered after a reload, and the entry is created at its place in the tree', async () => {
      const { app, project, call } = scene();
      await createType(app, project, {
        apiName: 'leaflet',
        name: 'Leaflet',
        isPage: true,
        fields: [
          { apiName: 'title', name: 'Title', type: 'text' },
          { apiName: 'lead', name: 'Lead', type: 'longText' },
        ],
      });
      const { siteId } = project;
      const { id: about } = await call<{ id: string }>('POST', '/tree/nodes', {
        siteId,
        name: 'About us',
        slug: 'about',
      });
      const desk = await scene().open((await scene().article({ title: 'Before' })).id);
      const { page, button } = desk;
      await desk.open(`${placeOf(project)}/new/leaflet`);
      await titleIn(desk).fill('Lost and found');
      await waitFor('the text is kept', () =>
        page.evaluate<boolean>("Object.values(localStorage).some((one) => one.includes('Lost and found'))"),
      );
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await page.getByText(/^What you typed .* was recovered\.$/).waitFor();
      expect(await titleIn(desk).inputValue()).toBe('Lost and found');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-new-recovered');
      await button('Start empty').click();
      expect(await titleIn(desk).inputValue()).toBe('');

      await titleIn(desk).fill('Team');
      await fieldIn(desk, 'Lead').fill('Who we are');
      await page
        .getByRole('combobox', { name: 'Place in the tree', exact: true })
        .selectOption({ label: 'About us' });
      await button('Create draft').click();
      await page.waitForURL(/entries\/[0-9a-f-]{36}/);
      const id = /entries\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
      expect(await scene().stored(id)).toMatchObject({ fields: { title: 'Team' }, treeParentId: about });
      expect(
        await page.evaluate<number>(
          "Object.keys(localStorage).filter((key) => key.includes('/new/')).length",
        ),
      ).toBe(0);
      expect(desk.errors).toEqual([]);
    });
  },
);
