import { expect } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sitemapOf } from './page-routes.js';

/** Every published page by `locale path`: its ETag and body. */
export async function documentsOf(app: TestApp, project: string): Promise<Map<string, unknown>> {
  const documents = new Map<string, unknown>();
  for (const { path, locale } of await sitemapOf(app, project)) {
    const bare = path.replace(`/${locale}/`, '/');
    const { status, headers, body } = await app.request
      .get(`/api/delivery/projects/${project}/sites/main/routes`)
      .query({ path: bare, locale });
    expect(status).toBe(200);
    expect(headers.etag).toMatch(/^(?:W\/)?"/);
    documents.set(`${locale} ${path}`, { etag: headers.etag, body });
  }
  return documents;
}
