import type { TestApp } from '../app.js';
import { must } from '../call.js';
import type { TestProject } from './project.js';

export interface TestEntry {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly status: string;
  readonly locale: string;
  readonly fields: Record<string, unknown>;
  readonly locales: { locale: string; status: string; slug: string; publishedAt: string | null }[];
  readonly workflow: { slug: string; state: string } | null;
  readonly assigneeId: string | null;
}

/** A rich text document of paragraphs. */
export const paragraphs = (...texts: string[]) => ({
  type: 'doc',
  content: texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
});

/** One field of every kind. */
export const everyField = [
  { apiName: 'title', type: 'text', required: true },
  { apiName: 'summary', type: 'longText' },
  { apiName: 'body', type: 'richText' },
  { apiName: 'handle', type: 'slug', localized: false },
  { apiName: 'count', type: 'integer' },
  { apiName: 'ratio', type: 'number' },
  { apiName: 'isFine', type: 'boolean' },
  { apiName: 'day', type: 'date' },
  { apiName: 'moment', type: 'dateTime' },
  { apiName: 'level', type: 'select', settings: { options: [{ value: 'low' }, { value: 'high' }] } },
  { apiName: 'link', type: 'url' },
  { apiName: 'contact', type: 'email' },
  { apiName: 'paint', type: 'color' },
  { apiName: 'place', type: 'location' },
  { apiName: 'data', type: 'json' },
  { apiName: 'related', type: 'reference', isList: true },
  { apiName: 'parts', type: 'blocks' },
] as const;

export function createType(
  app: TestApp,
  project: TestProject,
  body: Record<string, unknown>,
): Promise<{ id: string; apiName: string }> {
  const { management, keys } = project;
  return must(app, {
    method: 'POST',
    path: `${management}/content-types`,
    key: keys.management,
    body: { name: 'Type', ...body },
  });
}

/** Creates `article` (title, body, author, related articles) and `author`. */
export async function createArticleTypes(app: TestApp, project: TestProject): Promise<void> {
  await createType(app, project, {
    apiName: 'author',
    fields: [{ apiName: 'name', type: 'text', required: true }],
  });
  await createType(app, project, {
    apiName: 'article',
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'body', type: 'richText' },
      { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
      { apiName: 'related', type: 'reference', isList: true, settings: { contentTypes: ['article'] } },
      { apiName: 'code', type: 'text', localized: false, unique: true },
    ],
  });
}

/** Creates an entry; `body` adds to or overrides the request. */
export function createEntry(
  app: TestApp,
  project: TestProject,
  body: {
    contentTypeApiName: string;
    fields?: Record<string, unknown>;
    slug?: string;
    locale?: string;
    siteId?: string;
  },
): Promise<TestEntry> {
  const { management, keys, siteId } = project;
  return must(app, {
    method: 'POST',
    path: `${management}/entries`,
    key: keys.management,
    body: { siteId, ...body },
  });
}

export function publish(app: TestApp, project: TestProject, id: string, locale?: string): Promise<TestEntry> {
  const path = `${project.management}/entries/${id}/publish`;
  return must(app, {
    method: 'POST',
    path,
    key: project.keys.management,
    body: locale === undefined ? {} : { locale },
  });
}
