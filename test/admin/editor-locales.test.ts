import { describe, expect, it } from '@jest/globals';
import { placeOf } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { attributeAround, focused, isFocused } from '../support/element-state.js';
import { titleIn, useEditorScene } from '../support/editor-desk.js';
import { createEntry, createType } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { createMember, createRole, memberPassword, systemRoleId } from '../support/members.js';
import { waitFor } from '../support/wait-for.js';

interface Work {
  readonly locale: string;
  readonly status: string;
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Two locales side by side in a browser (need /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useEditorScene();
    const write = async (id: string, locale: string, fields: object): Promise<void> => {
      const { version } = await scene().stored(id);
      await scene().call('PUT', `/entries/${id}`, { version, locale, fields });
    };
    const publish = (id: string, locale: string) =>
      scene().call('POST', `/entries/${id}/publish`, { locale });
    /** Published in both locales, and in English again with another title. */
    async function staleArticle(): Promise<string> {
      const { id } = await scene().article({ title: 'The upper lock', code: unique() });
      await publish(id, 'en');
      await write(id, 'de', { title: 'Die obere Schleuse' });
      await publish(id, 'de');
      await write(id, 'en', { title: 'The upper lock, rebuilt' });
      await publish(id, 'en');
      await waitFor('the translation is stale', async () => {
        const { locales } = await scene().call<{ locales: Work[] }>('GET', `/translations/${id}`);
        return locales.find(({ locale }) => locale === 'de')?.status === 'stale';
      });
      return id;
    }

    it('a stale field shows what changed in its source, and is copied from it', async () => {
      const id = await staleArticle();
      const desk = await scene().open(id, '?locale=de');
      const { page } = desk;
      await page.getByRole('combobox', { name: 'Shown beside', exact: true }).selectOption('en');
      await page.waitForURL(/beside=en/);
      const source = page.getByRole('textbox', {
        name: 'Title, English (en) required to publish',
        exact: true,
      });
      await source.waitFor();
      expect(await source.inputValue()).toBe('The upper lock, rebuilt');
      await page.getByText('Outdated fields: 1', { exact: false }).waitFor();
      await page.getByText(/^Source changed since version \d/).click();
      await page.locator('ins', { hasText: 'rebuilt' }).waitFor();
      await page.getByText('Code: the same in all locales', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-beside');
      await desk.button('Copy from English (en): Title').click();
      expect(await titleIn(desk).inputValue()).toBe('The upper lock, rebuilt');
      await page.getByRole('status').getByRole('button', { name: 'Undo', exact: true }).click();
      expect(await titleIn(desk).inputValue()).toBe('Die obere Schleuse');
      await titleIn(desk).fill('Die obere Schleuse, erneuert');
      await desk.button('Save draft').click();
      await page.getByText('Draft saved').waitFor();
      await page.getByText(/^Source changed since version \d/).waitFor({ state: 'detached' });
      expect((await scene().stored(id, 'de')).fields.title).toBe('Die obere Schleuse, erneuert');
      expect(desk.errors).toEqual([]);
    });

    it('the form is shown when the locale beside it has been read, with what was typed before', async () => {
      const { id } = await scene().article({ title: 'Harbour' });
      await write(id, 'de', { title: 'Hafen' });
      const desk = await scene().open(id, '?locale=de');
      const { page } = desk;
      const { promise: whenRead, resolve: read } = Promise.withResolvers<undefined>();
      await titleIn(desk).fill('Hafenmauer');
      await page.route(/entries\.get/, async (route) => {
        await whenRead;
        await route.continue();
      });
      await page.getByRole('combobox', { name: 'Shown beside', exact: true }).selectOption('en');
      await titleIn(desk).waitFor({ state: 'detached' });
      read(undefined);
      await desk.button('Save English (en)').waitFor();
      expect(await titleIn(desk).inputValue()).toBe('Hafenmauer');
      await titleIn(desk).press('End');
      await page.keyboard.type('weg');
      expect(await titleIn(desk).inputValue()).toBe('Hafenmauerweg');
      expect(desk.errors).toEqual([]);
    });

    it('the form stays while it is saved, also if the locale beside it cannot be read', async () => {
      const { id } = await scene().article({ title: 'Harbour' });
      await write(id, 'de', { title: 'Hafen' });
      const desk = await scene().open(id, '?locale=de');
      const { page } = desk;
      await page.route(/entries\.get/, (route) => route.abort());
      await page.getByRole('combobox', { name: 'Shown beside', exact: true }).selectOption('en');
      await page.locator('.editor-form > p.problem').waitFor();
      await titleIn(desk).press('End');
      await page.keyboard.type('mauer');
      await page.getByText(/^Saved \d/).waitFor();
      await focused(titleIn(desk));
      expect((await scene().stored(id, 'de')).fields.title).toBe('Hafenmauer');
    });

    it('by keyboard alone: empty fields are copied from the locale beside, and written ones stay', async () => {
      const { id } = await scene().article({ title: 'Water' });
      await write(id, 'en', {
        body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Wet.' }] }] },
      });
      await write(id, 'de', { title: 'Wasser' });
      const desk = await scene().open(id, '?locale=de&beside=en');
      const { page } = desk;
      await desk.button('Save English (en)').waitFor();
      await desk.button('Copy from English (en): Body').waitFor();
      expect(await desk.button('Copy from German (de): Body').count()).toBe(0);
      await desk.button('Copy all from English (en)').focus();
      await page.keyboard.press('Enter');
      await page
        .getByRole('dialog')
        .getByRole('radio', { name: 'Only fields that are empty', exact: true })
        .waitFor();
      expect(await desk.findings()).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Copied from English (en)', { exact: true }).waitFor();
      expect(await titleIn(desk).inputValue()).toBe('Wasser');
      const { fields } = await scene().stored(id, 'de');
      expect([fields.title, JSON.stringify(fields.body)]).toEqual([
        'Wasser',
        expect.stringContaining('Wet.'),
      ]);
    });

    it('a translator of one locale reads the source beside it and cannot change the source', async () => {
      const { app, project } = scene();
      const id = await staleArticle();
      const reading = ['contentTypes', 'sites', 'entries', 'translations'];
      const roleId = await createRole(app, project, [
        ...reading.map((resource) => ({ resource, action: 'read' })),
        { resource: 'entries', action: 'update', scope: { locales: ['de'] } },
      ]);
      const { email } = await createMember(app, project, [roleId]);
      const login = { email, password: memberPassword };
      const desk = await scene().open(id, '?locale=de&beside=en', login);
      const { page } = desk;
      await page
        .getByRole('textbox', { name: 'Title, English (en) required to publish', exact: true })
        .waitFor();
      expect(await titleIn(desk).isEditable()).toBe(true);
      await desk.button('Copy all from English (en)').waitFor();
      const source = page.getByRole('textbox', {
        name: 'Title, English (en) required to publish',
        exact: true,
      });
      expect(await source.isEditable()).toBe(false);
      expect(await desk.button('Save English (en)').count()).toBe(0);
      await desk.button('Edit this locale').click();
      await page.waitForURL(/locale=en&beside=de/);
      await page.getByText('You may read this entry, but not change it.').waitFor();
      expect(await titleIn(desk).isEditable()).toBe(false);
      const translation = page.getByRole('textbox', {
        name: 'Title, German (de) required to publish',
        exact: true,
      });
      await desk.button('Save German (de)').waitFor();
      expect(await translation.isEditable()).toBe(true);
      expect(await page.getByRole('button', { name: /^Copy .*German/ }).count()).toBe(0);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-beside-translator');
      expect(desk.errors).toEqual([]);
    });

    it('a translator opens the project and an entry without a call that is refused', async () => {
      const { app, project } = scene();
      const { id } = await scene().article({ title: 'Quiet' });
      const { email } = await createMember(app, project, [await systemRoleId(app, project, 'translator')]);
      const desk = await scene().open(id, '?locale=de', { email, password: memberPassword });
      const { page } = desk;
      const answers: number[] = [];
      page.on('response', (response) => answers.push(response.status()));
      await desk.open(`/${project.slug}`);
      await page.waitForURL(/\/main\/dashboard/);
      await page.getByRole('region', { name: 'Changed last', exact: true }).waitFor();
      await desk.open(`${placeOf(project)}/entries/${id}?locale=de`);
      await desk.button('Save draft').waitFor();
      expect(answers).toContain(200);
      expect(answers.filter((status) => status >= 400)).toEqual([]);
      expect(desk.errors).toEqual([]);
    });

    it('both locales are edited and saved in one after the other, and then published', async () => {
      const { id } = await scene().article({ title: 'Ebb' });
      await write(id, 'de', { title: 'Flut' });
      const desk = await scene().open(id, '?locale=en&beside=de');
      const { page } = desk;
      const german = page.getByRole('textbox', {
        name: 'Title, German (de) required to publish',
        exact: true,
      });
      await german.fill('Ebbe');
      await titleIn(desk).fill('Ebb tide');
      await desk.button('Save German (de)').click();
      await page.getByText('Draft saved').waitFor();
      await desk.button('Publish').click();
      await page.getByText('Published in English (en)', { exact: true }).waitFor();
      await german.fill('Ebbe und Flut');
      await page
        .getByText(/^Saved \d/)
        .first()
        .waitFor();
      await waitFor(
        'the locale beside is saved',
        async () => (await scene().stored(id, 'de')).fields.title === 'Ebbe und Flut',
      );
      expect(await scene().stored(id)).toMatchObject({
        status: 'published',
        fields: { title: 'Ebb tide' },
      });
      expect(desk.errors).toEqual([]);
    });

    it('problems of the locale beside are listed, and lead to its fields', async () => {
      const { app, project } = scene();
      const address = { apiName: 'address', type: 'email', localized: true };
      await createType(app, project, { apiName: 'mailing', fields: [address] });
      const body = { contentTypeApiName: 'mailing', fields: { address: 'ada@example.com' } };
      const { id } = await createEntry(app, project, body);
      await write(id, 'de', { address: 'ada@example.de' });
      const desk = await scene().open(id, '?locale=en&beside=de');
      const { page } = desk;
      const german = page.getByRole('textbox', { name: 'Address, German (de)', exact: true });
      await german.fill('nowhere');
      await desk.button('Save German (de)').click();
      const list = page.getByRole('navigation', { name: 'To correct in German (de)', exact: true });
      await list.getByRole('button', { name: 'Address', exact: true }).click();
      await waitFor('the field beside is focused', () => isFocused(german));
      await page.setViewportSize({ width: 390, height: 844 });
      await desk.button('English (en)').click();
      await german.waitFor({ state: 'hidden' });
      await list.getByRole('button', { name: 'Address', exact: true }).click();
      await waitFor('the field is shown and focused', () => isFocused(german));
      expect(await desk.findings()).toEqual([]);
      await german.fill('ada@example.de');
      await list.waitFor({ state: 'detached' });
    });

    it('Arabic is written from right to left beside English, and narrow screens show one of both', async () => {
      const { id } = await scene().article({ title: 'The long lock' });
      await write(id, 'ar', { title: 'القفل الطويل' });
      const desk = await scene().open(id, '?locale=ar&beside=en');
      const { page } = desk;
      const source = page.getByRole('textbox', {
        name: 'Title, English (en) required to publish',
        exact: true,
      });
      await source.waitFor();
      const directionAround = (name: string | RegExp) =>
        attributeAround(page.getByRole('textbox', { name }), '.locale-cell', 'dir');
      expect([await directionAround(/^title( |$)/i), await directionAround('title, English (en)')]).toEqual([
        'rtl',
        'ltr',
      ]);
      expect(await titleIn(desk).inputValue()).toBe('القفل الطويل');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-beside-arabic');
      await page.setViewportSize({ width: 390, height: 844 });
      await source.waitFor({ state: 'hidden' });
      await desk.button('English (en)').click();
      await source.waitFor();
      expect(await titleIn(desk).isVisible()).toBe(false);
      expect(await desk.findings()).toEqual([]);
    });
  },
);
