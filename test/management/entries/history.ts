import type { Response } from 'supertest';
import type { Desk } from '../../support/desk.js';
import { createEntry, type TestEntry } from '../../support/factories/content.js';

export const article = (
  desk: Desk,
  fields: Record<string, unknown> = { title: 'Title' },
  rest: { slug?: string; locale?: string; siteId?: string } = {},
): Promise<TestEntry> =>
  createEntry(desk.app, desk.project, { contentTypeApiName: 'article', fields, ...rest });

/** Updates an entry at its current version. */
export async function change(desk: Desk, id: string, body: object): Promise<Response> {
  const { version } = (await desk.get(`/entries/${id}`)).body.data as TestEntry;
  return desk.put(`/entries/${id}`, { version, ...body });
}

/** Creates another site and returns its id. */
export async function otherSite(desk: Desk, body: object = {}): Promise<string> {
  const made = await desk.post('/sites', { slug: 'other', name: 'Other', ...body });
  return (made.body as { data: { id: string } }).data.id;
}

export const now = async (desk: Desk, id: string, query = ''): Promise<TestEntry> =>
  (await desk.get(`/entries/${id}${query}`)).body.data as TestEntry;
