import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createEntry, createType, type TestEntry } from '../support/factories/content.js';
import { createAdmin, createProject, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { reach } from '../support/keyboard.js';
import { waitFor } from '../support/wait-for.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

interface Exported {
  readonly schema: { readonly contentTypes: { apiName: string; fields: { apiName: string }[] }[] };
}

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'The schema as one document in the admin app (needs Chromium)',
  () => {
    const app = useCountedApp();
    let admin: { email: string; password: string };
    const browser = useBrowser();
    beforeAll(async () => {
      admin = await createAdmin(app());
    });

    /** A project with a type `lock` and one entry of it. */
    async function openSchema(): Promise<{ desk: Desk; project: TestProject; entry: TestEntry }> {
      const project = await createProject(app());
      const fields = ['title', 'code'].map((apiName) => ({ apiName, name: apiName, type: 'text' }));
      await createType(app(), project, { apiName: 'lock', name: 'Lock', fields });
      const entry = await createEntry(app(), project, {
        contentTypeApiName: 'lock',
        fields: { title: 'Upper', code: 'A-1' },
      });
      const desk = await openDeskAs(browser(), app(), admin);
      await desk.open(`${placeOf(project)}/schema`);
      await desk.button('Take the present schema').waitFor();
      return { desk, project, entry };
    }
    const document = ({ page }: Desk) =>
      page.getByRole('textbox', { name: 'Document in YAML or JSON', exact: true });
    const take = async (desk: Desk): Promise<string> => {
      await desk.button('Take the present schema').click();
      return waitFor('the schema is in the editor', () => document(desk).inputValue());
    };
    const fieldsOf = async ({ management, keys }: TestProject): Promise<string[]> => {
      const { schema } = await must<Exported>(app(), {
        method: 'GET',
        path: `${management}/schema/export`,
        key: keys.management,
      });
      return (
        schema.contentTypes.find(({ apiName }) => apiName === 'lock')?.fields.map(({ apiName }) => apiName) ??
        []
      );
    };

    it('is downloaded, changed, planned, applied and undone', async () => {
      const { desk, project } = await openSchema();
      const { page } = desk;
      const download = page.waitForEvent('download');
      await desk.button('Download as JSON').click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`${project.slug}.schema.json`);
      const saved = await readFile(await file.path(), 'utf8');
      const schema = JSON.parse(saved) as Exported['schema'];
      schema.contentTypes[0]?.fields.push({ apiName: 'depth', name: 'Depth', type: 'number' } as never);
      const buffer = Buffer.from(JSON.stringify(schema));
      await page
        .getByLabel('File with the schema', { exact: true })
        .setInputFiles({ name: 'schema.json', mimeType: 'application/json', buffer });
      await desk.button('Show the plan').click();
      await page.getByRole('cell', { name: /lock\.depth/ }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('schema-plan');
      await desk.button('Apply the plan').click();
      await page.getByText('The document was applied.', { exact: true }).waitFor();
      await page.waitForURL(/applied=/);
      expect(await fieldsOf(project)).toEqual(['title', 'code', 'depth']);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('schema-applied');
      await page.reload();
      await desk.button('Undo').click();
      await desk.button('Undo the apply').waitFor();
      await expectAccessible(desk, 'undo of the schema');
      await desk.button('Undo the apply').click();
      await page.getByText('The apply was undone', { exact: true }).waitFor();
      expect([await fieldsOf(project), desk.errors]).toEqual([['title', 'code'], []]);
    });

    it('a plan that deletes values is applied after consent only, and says how many entries lose them', async () => {
      const { desk, project } = await openSchema();
      const { page } = desk;
      const text = await take(desk);
      await document(desk).fill(text.replace(/ +- apiName: code\n(?: +(?!- )[^\n]*\n)*/, ''));
      await desk.button('Show the plan').click();
      await page.getByText('Values deleted: 1, in entries: 1', { exact: true }).waitFor();
      const apply = desk.button('Apply the plan');
      expect(await apply.isDisabled()).toBe(true);
      expect(await desk.findings()).toEqual([]);
      await desk.picture('schema-destructive');
      // The plan changes under the eyes of the user: consent was not to this one.
      await page.getByRole('checkbox', { name: /^Delete and replace what the plan names/ }).check();
      await createEntry(app(), project, {
        contentTypeApiName: 'lock',
        fields: { title: 'Lower', code: 'A-2' },
      });
      await apply.click();
      await page.getByText('Values deleted: 2, in entries: 2', { exact: true }).waitFor();
      expect(await fieldsOf(project)).toEqual(['title', 'code']);
      await page.getByRole('checkbox', { name: /^Delete and replace what the plan names/ }).check();
      await apply.click();
      await page.getByText('The document was applied.', { exact: true }).waitFor();
      expect([await fieldsOf(project), desk.errors]).toEqual([['title'], []]);
    });

    it('a field with another name is declared as renamed and keeps its values', async () => {
      const { desk, project, entry } = await openSchema();
      const { page } = desk;
      const text = await take(desk);
      await document(desk).fill(
        text.replace('apiName: code', 'apiName: number').replace('name: code', 'name: Number'),
      );
      await desk.button('Show the plan').click();
      await page
        .getByRole('combobox', { name: 'Former name of lock.number', exact: true })
        .selectOption('code');
      await page.getByText('was code', { exact: true }).waitFor();
      expect(await document(desk).inputValue()).toContain('renamedFrom: code');
      expect(await desk.findings()).toEqual([]);
      await desk.picture('schema-rename');
      await desk.button('Apply the plan').click();
      await page.getByText('The document was applied.', { exact: true }).waitFor();
      const path = `${project.management}/entries/${entry.id}`;
      const { fields } = await must<TestEntry>(app(), { method: 'GET', path, key: project.keys.management });
      expect([fields, desk.errors]).toEqual([{ title: 'Upper', number: 'A-1' }, []]);
    });

    it('by keyboard alone: problems of a document are named with their places', async () => {
      const { desk } = await openSchema();
      const { page } = desk;
      await reach(page, document(desk));
      await page.keyboard.type('contentTypes: [{ apiName: "no name" ');
      await reach(page, desk.button('Show the plan'));
      await page.keyboard.press('Enter');
      await page.getByText('The document cannot be read.', { exact: true }).waitFor();
      await document(desk).focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('{ "contentTypes": [{ "apiName": "no name", "name": "A" }] }');
      await reach(page, desk.button('Show the plan'));
      await page.keyboard.press('Enter');
      await page.getByText(/^contentTypes\.0\.apiName: /).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('schema-problems');
      expect(desk.errors).toEqual([]);
    });

    it('an apply cannot be undone once entries have values in what it created', async () => {
      const { desk, project } = await openSchema();
      const { page } = desk;
      const schema = { contentTypes: [{ apiName: 'lock', name: 'Lock', fields: [] as object[] }] };
      schema.contentTypes[0]?.fields.push(
        ...['title', 'code', 'note'].map((apiName) => ({ apiName, name: apiName, type: 'text' })),
      );
      await document(desk).fill(JSON.stringify(schema));
      await desk.button('Show the plan').click();
      await desk.button('Apply the plan').click();
      await page.getByText('The document was applied.', { exact: true }).waitFor();
      await createEntry(app(), project, {
        contentTypeApiName: 'lock',
        fields: { title: 'Lower', note: 'New' },
      });
      await desk.button('Undo').click();
      await desk.button('Undo the apply').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Entries have values that this would delete.', { exact: true }).waitFor();
      await dialog.getByRole('cell', { name: /lock\.note/ }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('schema-not-undone');
      expect(await fieldsOf(project)).toEqual(['title', 'code', 'note']);
      const viewer = await createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
      const other = await openDeskAs(browser(), app(), { email: viewer.email, password: memberPassword });
      await other.open(`${placeOf(project)}/calendar`);
      await other.page.getByRole('link', { name: 'Media library', exact: true }).waitFor();
      expect(await other.page.getByRole('link', { name: 'Schema', exact: true }).count()).toBe(0);
    });
  },
);
