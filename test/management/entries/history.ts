import type { Response } from 'supertest';
import type { Desk } from '../../support/desk.js';
import { createEntry, type TestEntry } from '../../support/factories/content.js';

/** Makes an article. */
export const article = (
  desk: Desk,
  fields: Record<string, unknown> = { title: 'Title' },
  rest: { slug?: string; locale?: string; siteId?: string } = {},
): Promise<TestEntry> =>
  createEntry(desk.app, desk.project, { contentTypeApiName: 'article', fields, ...rest });

/** Changes an entry at the version it has now. */
export async function change(desk: Desk, id: string, body: object): Promise<Response> {
  const { version } = (await desk.get(`/entries/${id}`)).body.data as TestEntry;
  return desk.put(`/entries/${id}`, { version, ...body });
}

/** Another site of the project; answers its id. */
export async function otherSite(desk: Desk, body: object = {}): Promise<string> {
  const made = await desk.post('/sites', { slug: 'other', name: 'Other', ...body });
  return (made.body as { data: { id: string } }).data.id;
}

/** An entry as the service shows it now. */
export const now = async (desk: Desk, id: string, query = ''): Promise<TestEntry> =>
  (await desk.get(`/entries/${id}${query}`)).body.data as TestEntry;
