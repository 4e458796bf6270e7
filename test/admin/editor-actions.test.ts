import { beforeAll, describe, expect, it } from '@jest/globals';
import { placeOf } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { chooseAction, fieldIn, titleIn, useEditorScene } from '../support/editor-desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { createMember, createRole, memberPassword } from '../support/members.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Actions on an entry in a browser (need /usr/bin/chromium or CHROMIUM)',
  () => {
    const scene = useEditorScene();
    beforeAll(async () => {
      const { app, project } = scene();
      const settings = { contentTypes: ['author'], onTargetUnpublish: 'restrict' };
      await createType(app, project, {
        apiName: 'story',
        fields: [
          { apiName: 'headline', type: 'text' },
          { apiName: 'writer', type: 'reference', settings },
        ],
      });
    });
    const author = (name: string) => {
      const { app, project } = scene();
      return createEntry(app, project, { contentTypeApiName: 'author', fields: { name } });
    };
    const story = (headline: string, writer: string) => {
      const { app, project } = scene();
      const fields = { headline, writer: { _ref: writer } };
      return createEntry(app, project, { contentTypeApiName: 'story', fields });
    };

    it('an entry is duplicated with what was typed and opened as a draft', async () => {
      const title = `Original ${unique()}`;
      const { id } = await scene().article({ title: 'Before' });
      const desk = await scene().open(id);
      const { page } = desk;
      await titleIn(desk).fill(title);
      await chooseAction(desk, 'Duplicate …');
      await page.getByRole('textbox', { name: 'Added to the title', exact: true }).fill(' (second)');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-duplicate');
      await page.getByRole('dialog').getByRole('button', { name: 'Duplicate', exact: true }).click();
      await page.getByText('Duplicated as a draft', { exact: true }).waitFor();
      await page.getByRole('heading', { name: `${title} (second)` }).waitFor();
      const [, copy = ''] = /entries\/([^?]+)/.exec(page.url()) ?? [];
      expect(copy).not.toBe(id);
      expect((await scene().stored(id)).fields.title).toBe(title);
      expect((await scene().stored(copy)).fields.title).toBe(`${title} (second)`);
      expect(desk.errors).toEqual([]);
    });

    it('deleting names the published entries that need it, and is done when they are unpublished', async () => {
      const { app, project } = scene();
      const [name, headline] = [`Writer ${unique()}`, `Story ${unique()}`];
      const { id } = await author(name);
      const using = await story(headline, id);
      await publish(app, project, id);
      await publish(app, project, using.id);
      const desk = await scene().open(id);
      const { page } = desk;
      await chooseAction(desk, 'Delete …');
      const dialog = page.getByRole('dialog', { name: `Delete “${name}”?` });
      for (const list of ['Uses', 'Links that break'])
        await dialog
          .getByRole('list', { name: list, exact: true })
          .getByRole('link', { name: headline })
          .waitFor();
      await desk.button('Delete entry').click();
      await dialog.getByRole('alert').getByRole('link', { name: headline }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-delete');
      expect((await scene().stored(id)).status).toBe('published');
      await scene().call('POST', `/entries/${using.id}/unpublish`, {});
      await desk.button('Delete entry').click();
      await page.getByText(`Deleted: ${name}`).waitFor();
      await page.waitForURL(/type=author/);
      await page.getByRole('link', { name }).waitFor({ state: 'detached' });
      // Restored, it would be a draft, which it was not.
      expect(await desk.button('Undo').count()).toBe(0);
      expect(desk.errors).toEqual([]);
    });

    it('the deletion of a draft is taken back', async () => {
      const name = `Back ${unique()}`;
      const { id } = await author(name);
      const desk = await scene().open(id);
      const { page } = desk;
      await chooseAction(desk, 'Delete …');
      await desk.button('Delete entry').click();
      // A notice that is pointed at stays.
      await desk.button('Undo').hover();
      await page.waitForURL(/type=author/);
      await page.getByRole('link', { name }).waitFor({ state: 'detached' });
      await desk.button('Undo').click();
      await page.getByRole('link', { name }).waitFor();
      expect(await scene().stored(id)).toMatchObject({ status: 'draft', fields: { name } });
      expect(desk.errors).toEqual([]);
    });

    it('by keyboard alone: a deleted entry is found by a filter of the list and restored', async () => {
      const { app, project } = scene();
      const name = `Restored ${unique()}`;
      const { id } = await author(name);
      await app.request
        .delete(`${project.management}/entries/${id}`)
        .set('Authorization', `Bearer ${project.keys.management}`);
      const other = await author(`Kept ${unique()}`);
      const desk = await scene().open(other.id);
      const { page } = desk;
      await desk.open(`${placeOf(project)}?type=author`);
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('deleted');
      await page.waitForURL(/deleted=true/);
      await page.getByRole('link', { name }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await page.getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
      await page.getByText(/^Deleted .+ by /).waitFor();
      expect(await fieldIn(desk, 'name').isEditable()).toBe(false);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-deleted');
      await desk.button('Restore entry').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Restored as a draft', { exact: true }).waitFor();
      await desk.button('Save draft').waitFor();
      expect(await fieldIn(desk, 'name').isEditable()).toBe(true);
      expect((await scene().stored(id)).status).toBe('draft');
      expect(desk.errors).toEqual([]);
    });

    it('the uses of an entry are listed by field, and a use is opened', async () => {
      const [name, headline] = [`Used ${unique()}`, `Using ${unique()}`];
      const { id } = await author(name);
      await story(headline, id);
      const desk = await scene().open(id);
      const { page } = desk;
      await chooseAction(desk, 'Where used');
      const panel = page.getByRole('complementary', { name: 'Where used', exact: true });
      await panel.getByText('Type: Writer', { exact: false }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('editor-uses');
      await panel.getByRole('link', { name: headline }).click();
      await page.getByRole('heading', { name: headline }).waitFor();
      await chooseAction(desk, 'Where used');
      await panel
        .getByRole('list', { name: 'What it uses', exact: true })
        .getByRole('link', { name })
        .waitFor();
    });

    it('a notice of a failure disappears by itself, but not while it is pointed at', async () => {
      const { id } = await scene().article({ title: 'Refused' });
      const desk = await scene().open(id);
      const { page } = desk;
      await titleIn(desk).waitFor();
      await page.clock.install();
      await page.route(/entries\.publish/, (route) => route.abort('connectionreset'));
      const notice = page.getByRole('status').getByText('The service was not reached.', { exact: false });
      await desk.button('Publish').click();
      await notice.waitFor();
      await notice.hover();
      await page.clock.fastForward('01:00');
      expect(await notice.count()).toBe(1);
      await titleIn(desk).hover();
      await page.clock.fastForward('00:13');
      await notice.waitFor({ state: 'detached' });
    });

    it('the menu has only what the user may do', async () => {
      const { app, project } = scene();
      const { id } = await author(`Shown ${unique()}`);
      const reading = ['contentTypes', 'sites', 'entries'];
      const roleId = await createRole(
        app,
        project,
        reading.map((resource) => ({ resource, action: 'read' })),
      );
      const { email } = await createMember(app, project, [roleId]);
      const desk = await scene().open(id, '', { email, password: memberPassword });
      await desk.button('More').click();
      await desk.page.getByRole('menuitem', { name: 'Where used', exact: true }).waitFor();
      expect(await desk.page.getByRole('menu').getByRole('menuitem').allTextContents()).toEqual([
        'Where used',
      ]);
      expect(await desk.page.getByRole('menuitemcheckbox').count()).toBe(0);
    });
  },
);
