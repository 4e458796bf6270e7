import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../support/call.js';
import { createEntry, createType } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { readEveryPage } from '../../src/surfaces/mcp/resources.js';
import { Agents, useTool } from './agents.js';
import { useApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';

const app = useApp();
let project: TestProject;
let agents: Agents;

beforeAll(async () => {
  project = await createProject(app(), {
    locales: ['en', { code: 'de', fallbackCode: 'en' }, { code: 'fr' }],
  });
  agents = new Agents(app(), project);
});
afterAll(async () => {
  await agents.close();
});

describe('MCP lists without pages', () => {
  it('return every content type and site with the total', async () => {
    const names = Array.from({ length: 27 }, (_, number) => `type${String(number)}`);
    for (const apiName of names) await createType(app(), project, { apiName });
    const { management, keys } = project;
    for (const slug of names)
      await must(app(), {
        method: 'POST',
        path: `${management}/sites`,
        key: keys.management,
        body: { slug, name: slug },
      });
    const client = await agents.connect(keys.management);
    const types = (await useTool(client, 'list_content_types')).structuredContent;
    expect(types.data?.map(({ apiName }) => apiName)).toEqual(names);
    expect(types).toMatchObject({ meta: { total: 27 } });
    expect(types.data?.[0]).toEqual({
      apiName: 'type0',
      name: 'Type',
      isPage: expect.any(Boolean),
      isBlock: false,
      isSingleton: false,
      isLocalized: expect.any(Boolean),
      fieldCount: 0,
    });
    const sites = (await useTool(client, 'list_sites')).structuredContent;
    expect(sites.data?.map(({ slug }) => slug)).toEqual(['main', ...names]);
    expect(sites).toMatchObject({ meta: { total: 28, page: 1, limit: 1000, pages: 1 } });
  });

  it('stop at the maximum and still return the total', async () => {
    const pages: unknown[] = [];
    const readPage = (paging: object) => {
      pages.push((paging as { page: number }).page);
      return Promise.resolve({
        data: Array.from({ length: 100 }, () => ({})),
        meta: { total: 2500, pages: 25 },
      });
    };
    const { items, total } = await readEveryPage(readPage, 250);
    expect([items.length, total, pages]).toEqual([250, 2500, [1, 2, 3]]);
  });
});

describe('get_entry_values', () => {
  it('follows the fallback chain of the locale and returns the locale served', async () => {
    await createType(app(), project, {
      apiName: 'note',
      fields: [
        { apiName: 'title', type: 'text', localized: true },
        { apiName: 'code', type: 'text', localized: false },
      ],
    });
    const fields = { title: 'English', code: 'A' };
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'note', locale: 'en', fields });
    const client = await agents.connect(project.keys.management);
    const values = async (locale: string) =>
      (await useTool(client, 'get_entry_values', { id, locale })).structuredContent.data;
    expect(await values('de')).toEqual({ id, locale: 'en', fields });
    expect(await values('fr')).toEqual({ id, locale: 'fr', fields: { title: null, code: 'A' } });
  });

  verifies('localization/field-fallback');
  it('shows values of fallbacks in fields without one, where the type says so', async () => {
    await createType(app(), project, {
      apiName: 'memo',
      fieldFallback: true,
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'teaser', type: 'text' },
      ],
    });
    const fields = { title: 'English', teaser: 'Short' };
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'memo', locale: 'en', fields });
    await must(app(), {
      method: 'PUT',
      path: `${project.management}/entries/${id}`,
      key: project.keys.management,
      body: { version: 1, locale: 'de', fields: { title: 'Deutsch' } },
    });
    const client = await agents.connect(project.keys.management);
    const { structuredContent } = await useTool(client, 'get_entry_values', { id, locale: 'de' });
    expect(structuredContent.data).toEqual({
      id,
      locale: 'de',
      fields: { title: 'Deutsch', teaser: 'Short' },
    });
  });
});
