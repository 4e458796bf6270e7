import type { TestApp } from '../../support/app.js';
import { must } from '../../support/call.js';
import { createEntry, createType, type TestEntry } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';

/** A project with the types `author` and `article`, and an article by an author. */
export async function projectWithArticle(
  app: TestApp,
  code: object = {},
): Promise<{ main: TestProject; article: TestEntry }> {
  const main = await createProject(app);
  await createType(app, main, { apiName: 'author', fields: [{ apiName: 'name', type: 'text' }] });
  await createType(app, main, {
    apiName: 'article',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'teaser', type: 'text' },
      { apiName: 'code', type: 'text', localized: false, ...code },
      { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
    ],
  });
  const author = await createEntry(app, main, { contentTypeApiName: 'author', fields: { name: 'Ann' } });
  const fields = { title: 'One', teaser: 'T', code: 'c', author: { _ref: author.id } };
  return { main, article: await createEntry(app, main, { contentTypeApiName: 'article', fields }) };
}

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the management API of a project, or of its branch. */
export class Caller {
  constructor(private readonly app: () => TestApp) {}

  call<T = { id: string }>(at: TestProject, method: Verb, path: string, body?: object): Promise<T> {
    return must<T>(this.app(), {
      method,
      path: `${at.management}${path}`,
      key: at.keys.management,
      body,
    });
  }

  read(at: TestProject, id: string, locale?: string): Promise<TestEntry> {
    return this.call(at, 'GET', `/entries/${id}${locale === undefined ? '' : `?locale=${locale}`}`);
  }

  async edit(at: TestProject, id: string, fields: Record<string, unknown>, locale?: string): Promise<void> {
    const { version } = await this.read(at, id, locale);
    await this.call(at, 'PUT', `/entries/${id}`, { version, fields, ...(locale && { locale }) });
  }
}
