import { describe, expect, it } from '@jest/globals';
import { must, send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';

const app = useApp();

/** Sites `main` (en), `second` (de, en) and `third` (fr); `locales` by note name. */
async function openProject(secondLocales: readonly string[]): Promise<TestProject> {
  const project = await createProject(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
  const { management, keys } = project;
  const type = { isList: false, settings: { contentTypes: ['note'] } };
  const fields = [
    { apiName: 'title', type: 'text' },
    { apiName: 'next', type: 'reference', ...type },
  ];
  await createType(app(), project, { apiName: 'note', fields });
  const newSite = (slug: string, locales: readonly string[]) =>
    must<{ id: string }>(app(), {
      method: 'POST',
      path: `${management}/sites`,
      key: keys.management,
      body: { slug, name: slug, defaultLocale: locales[0], locales },
    });
  const second = await newSite('second', secondLocales);
  const third = await newSite('third', ['fr']);
  const note = async (title: string, locale: string, rest: { siteId?: string; next?: string } = {}) => {
    const { siteId = project.siteId, next } = rest;
    const values = { title, ...(next !== undefined && { next: { _ref: next } }) };
    const body = { contentTypeApiName: 'note', siteId, locale, fields: values };
    const { id } = await createEntry(app(), project, body);
    await publish(app(), project, id, locale);
    return id;
  };
  await note('one', 'en');
  await note('hidden', 'fr');
  const target = await note('target', 'de', { siteId: second.id });
  await note('two', 'de', { siteId: second.id, next: target });
  if (secondLocales.includes('en')) await note('fallback', 'en', { siteId: second.id });
  await note('three', 'fr', { siteId: third.id });
  return project;
}

async function titles(project: TestProject, key: string, given = '') {
  const { body } = await send(app(), {
    method: 'POST',
    path: `/api/graphql/${project.slug}`,
    key,
    body: {
      query: `{ noteCollection${given} { total items { title _locale next { ... on Note { title } } } } }`,
    },
  });
  return body.data.noteCollection as {
    total: number;
    items: { title: string; _locale: string; next: { title: string } | null }[];
  };
}

describe('GraphQL collections of all sites', () => {
  it.each([
    ['chains', ['de', 'en'], ['one', 'target', 'two', 'fallback', 'three']],
    ['single locales', ['de'], ['one', 'target', 'two', 'three']],
  ])("list each site's entries in its default locale (%s)", async (_name, secondLocales, expected) => {
    const project = await openProject(secondLocales);
    for (const key of [project.keys.delivery, project.keys.preview]) {
      const { total, items } = await titles(project, key);
      expect(items.map(({ title }) => title).reverse()).toEqual(expected);
      expect(total).toBe(expected.length);
      expect(items.find(({ title }) => title === 'two')?.next).toEqual({ title: 'target' });
    }
    const paged = await titles(project, project.keys.delivery, '(limit: 1, skip: 1)');
    expect([paged.total, paged.items.length]).toEqual([expected.length, 1]);
    expect((await titles(project, project.keys.delivery, '(locale: "fr")')).items).toHaveLength(2);
  });
});
