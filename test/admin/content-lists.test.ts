import { fieldIn } from '../support/editor-desk.js';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must, send } from '../support/call.js';
import { waitFor } from '../support/wait-for.js';
import { createArticleTypes, createEntry, createType } from '../support/factories/content.js';
import { png, uploadAsset } from '../support/factories/media.js';
import { createAdmin, createProject, unique, type TestProject } from '../support/factories/project.js';
import { createMember, createRole, memberPassword } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'Lists of entries in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    let project: TestProject;
    const browser = useBrowser();
    let admin: { email: string; password: string };
    beforeAll(async () => {
      admin = await createAdmin(app());
    });

    /** A new project with these articles, and a window on its list; an article without title cannot be published. */
    async function openList(...titles: (string | undefined)[]): Promise<{ desk: Desk; ids: string[] }> {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      const ids: string[] = [];
      for (const title of titles) {
        const fields = title === undefined ? {} : { title };
        ids.push((await createEntry(app(), project, { contentTypeApiName: 'article', fields })).id);
      }
      const desk = await openDeskAs(browser(), app(), admin);
      await desk.open(placeOf(project));
      return { desk, ids };
    }

    const statusOf = async (id: string): Promise<unknown> => {
      const { status, body } = await send(app(), {
        method: 'GET',
        path: `${project.management}/entries/${id}`,
        key: project.keys.management,
      });
      return status === 200 ? (body as { data: { status: string } }).data.status : status;
    };

    it('several entries are published at once; what is refused is named and stays selected', async () => {
      const { desk, ids } = await openList('The first lock', undefined, 'The second lock');
      const { page } = desk;
      await page.getByRole('checkbox', { name: 'Select every loaded entry', exact: true }).check();
      await page.getByText('Selected: 3', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('list-selected');
      await desk.button('Publish').click();
      const question = page.getByRole('dialog', { name: 'Publish 3 selected in English (en)?', exact: true });
      await question.getByText('Go live (3)', { exact: true }).waitFor();
      await question.getByText('The first lock', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('list-publish');
      await question.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published: 2', { exact: true }).waitFor();
      const dialog = page.getByRole('dialog', { name: 'Refused: 1', exact: true });
      await expectAccessible(desk, 'refused entries');
      await desk.picture('list-refused');
      await dialog.getByText('Close', { exact: true }).click();
      await page.getByText('Selected: 1', { exact: true }).waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(['published', 'draft', 'published']);

      await desk.button('Clear selection').click();
      await page.getByRole('checkbox', { name: 'Select The first lock', exact: true }).check();
      await page.getByRole('checkbox', { name: 'Select The second lock', exact: true }).check();
      await desk.button('Unpublish').click();
      await page.getByText('Go offline (2)', { exact: true }).waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(['published', 'draft', 'published']);
      await page.getByRole('dialog').getByRole('button', { name: 'Unpublish', exact: true }).click();
      // A notice that is pointed at stays.
      await desk.button('Undo').hover();
      await page.getByText('Unpublished: 2', { exact: true }).waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(['draft', 'draft', 'draft']);
      await desk.button('Undo').click();
      await waitFor(
        'both are live again',
        async () => (await Promise.all(ids.map(statusOf))).join() === 'published,draft,published',
      );
    });

    it('the list is ordered by its head, and filtered by who changed the entries', async () => {
      const { desk } = await openList('Older', 'Newer');
      const { page } = desk;
      const member = await createMember(app(), project, [
        await createRole(app(), project, [{ resource: 'entries', action: 'read' }]),
      ]);
      await page.reload();
      const titles = page.getByRole('row').getByRole('link');
      const head = page.getByRole('columnheader', { name: 'Updated', exact: true });
      await page.getByRole('link', { name: 'Older', exact: true }).waitFor();
      expect(await titles.allInnerTexts()).toEqual(['Newer', 'Older']);
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      await desk.button('Updated').click();
      await page.waitForURL(/order=updatedAt/);
      await waitFor(
        'the order is reversed',
        async () => (await titles.allInnerTexts()).join() === 'Older,Newer',
      );
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      expect(await desk.findings()).toEqual([]);
      await page.getByRole('combobox', { name: 'Changed by', exact: true }).selectOption(member.id);
      await page.getByText('No entry matches', { exact: true }).waitFor();
      expect(page.url()).toContain(member.id);
      expect(desk.errors).toEqual([]);
    });

    /** A type of bridges with a field for pictures, and blocks that have one as well. */
    async function createBridges(): Promise<void> {
      const pictures = { mimeTypes: ['image/*'] };
      await createType(app(), project, {
        apiName: 'view',
        name: 'View',
        isBlock: true,
        fields: [{ apiName: 'photo', name: 'Photograph', type: 'media', validations: pictures }],
      });
      await createType(app(), project, {
        apiName: 'bridge',
        name: 'Bridge',
        fields: [
          { apiName: 'name', type: 'text' },
          { apiName: 'manual', type: 'media', validations: { mimeTypes: ['application/pdf'] } },
          { apiName: 'cover', name: 'Cover picture', type: 'media', validations: pictures },
          { apiName: 'views', type: 'blocks', settings: { contentTypes: ['view'] } },
        ],
      });
    }

    const upload = async (): Promise<{ _ref: string; _type: 'MediaAsset' }> => {
      const file = { fileName: `${unique()}.png`, content: png(64, 40).toString('base64') };
      return { _ref: (await uploadAsset(app(), project, { file })).id, _type: 'MediaAsset' };
    };

    it('a list shows the picture of each entry beside its title, with one request for the page', async () => {
      const { desk } = await openList();
      const { page } = desk;
      await createBridges();
      const bridges = [
        { name: 'Iron bridge', cover: await upload() },
        { name: 'Stone bridge', cover: await upload() },
        { name: 'Rope bridge' },
      ];
      for (const fields of bridges)
        await createEntry(app(), project, { contentTypeApiName: 'bridge', fields });
      const asked: string[] = [];
      page.on('request', (request) => {
        asked.push(...(request.url().match(/media\.\w+/g) ?? []));
      });
      await desk.open(`${placeOf(project)}?type=bridge`);
      const drawn =
        "[...document.querySelectorAll('.table-row img')].filter((one) => one.naturalWidth > 0).length";
      await waitFor('two pictures', async () => (await page.evaluate(drawn)) === 2);
      const link = (name: string) => page.getByRole('link', { name, exact: true });
      const picture = (name: string) =>
        page
          .getByRole('row')
          .filter({ has: link(name) })
          .locator('img');
      expect(await picture('Iron bridge').getAttribute('alt')).toBe('');
      expect(await picture('Rope bridge').count()).toBe(0);
      const boxes = await Promise.all(bridges.map(({ name }) => link(name).boundingBox()));
      expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
      const [iron = 0, stone = 0, rope = 0] = boxes.map((box) => box?.y);
      expect([iron - stone, stone - rope]).toEqual([44, 44]);
      expect(asked).toEqual(['media.list']);
      expect([await desk.findings(), desk.errors]).toEqual([[], []]);
      await desk.picture('list-pictures');
    });

    it('a file names the fields that use it, also those of blocks, as the types do', async () => {
      const { desk } = await openList();
      await createBridges();
      const cover = await upload();
      const views = [{ _type: 'view', fields: { photo: cover } }];
      const fields = { name: 'Iron bridge', cover, views };
      await createEntry(app(), project, { contentTypeApiName: 'bridge', fields });
      await desk.open(`${placeOf(project)}/media/${cover._ref}`);
      const uses = desk.page.getByRole('region', { name: 'Used in', exact: true });
      await uses.getByText('Bridge: Cover picture', { exact: false }).waitFor();
      await uses.getByText('Bridge: Photograph', { exact: false }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('several entries are scheduled, assigned and duplicated', async () => {
      const { desk, ids } = await openList('Low water', 'High water');
      const roleId = await createRole(app(), project, [{ resource: 'entries', action: 'read' }]);
      const member = await createMember(app(), project, [roleId]);
      const { page } = desk;
      await page.reload();
      const select = async () => {
        await page.getByRole('checkbox', { name: 'Select Low water', exact: true }).check();
        await page.getByRole('checkbox', { name: 'Select High water', exact: true }).check();
      };
      const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
      await select();
      await desk.button('Schedule').click();
      await page.getByLabel('Time', { exact: true }).fill('2099-06-01T12:00');
      expect(await desk.findings()).toEqual([]);
      await inDialog('Schedule').click();
      await page.getByText('Scheduled: 2', { exact: true }).waitFor();
      const call = { method: 'GET', key: project.keys.management } as const;
      for (const id of ids)
        expect(
          await must(app(), { ...call, path: `${project.management}/entries/${id}/schedules` }),
        ).toMatchObject([{ kind: 'publish', scheduledAt: expect.stringMatching(/^2099-06-01/) }]);

      await select();
      await desk.button('More').click();
      await page.getByRole('menuitem', { name: 'Assign', exact: true }).click();
      await page.getByRole('combobox', { name: 'Assigned to', exact: true }).selectOption(member.id);
      await inDialog('Assign').click();
      await page.getByText('Assigned: 2', { exact: true }).waitFor();
      expect(
        await must(app(), { ...call, path: `${project.management}/entries/${ids[0] ?? ''}` }),
      ).toMatchObject({ assigneeId: member.id });

      await select();
      await desk.button('More').click();
      await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click();
      await page.getByText('Duplicated as drafts: 2', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Low water (copy)', exact: true }).waitFor();
      expect(desk.errors).toEqual([]);
    });

    it('several entries are deleted after a question, by keyboard alone', async () => {
      const { desk, ids } = await openList('To be kept', 'To be deleted');
      const { page } = desk;
      await page.getByRole('checkbox', { name: 'Select To be deleted', exact: true }).focus();
      await page.keyboard.press('Space');
      await page.getByText('Selected: 1', { exact: true }).waitFor();
      await desk.button('Delete').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Delete 1 selected?', exact: true });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await Promise.all(ids.map(statusOf))).toEqual(['draft', 'draft']);
      await desk.button('Delete').focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await desk.button('Undo').hover();
      await page.getByText('Deleted: 1', { exact: true }).waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(['draft', 404]);
      await desk.button('Undo').click();
      await waitFor('the entry is restored', async () => (await statusOf(ids[1] ?? '')) === 'draft');
    });

    it('who may only translate into one locale changes that locale, and is offered nothing else', async () => {
      const { desk: first, ids } = await openList('The upper lock');
      await first.page.context().close();
      const roleId = await createRole(app(), project, [
        ...['contentTypes', 'sites', 'entries'].map((resource) => ({ resource, action: 'read' })),
        { resource: 'entries', action: 'update', scope: { locales: ['de'] } },
      ]);
      const { email } = await createMember(app(), project, [roleId]);
      const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
      const { page } = desk;
      await desk.open('');
      await page.getByRole('link', { name: project.slug }).click();
      await page.getByRole('link', { name: 'The upper lock', exact: true }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'New entry' }).count()).toBe(0);
      await desk.open(`${placeOf(project)}/entries/${ids[0] ?? ''}?locale=en`);
      await page.getByText('You may read this entry, but not change it.', { exact: true }).waitFor();
      expect(await desk.button('Save draft').count()).toBe(0);
      await desk.open(`${placeOf(project)}/entries/${ids[0] ?? ''}?locale=de`);
      // Shared by all locales.
      expect(await fieldIn(desk, 'code').isEditable()).toBe(false);
      await page
        .getByRole('textbox', { name: 'Title required to publish', exact: true })
        .fill('Die obere Schleuse');
      await desk.button('Save draft').click();
      await page.getByText('Draft saved', { exact: true }).waitFor();
      expect(await desk.button('Publish').count()).toBe(0);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('entry-translator');
    });
  },
);
