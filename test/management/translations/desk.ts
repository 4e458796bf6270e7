import { must } from '../../support/call.js';
import type { Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';

export interface Shown {
  readonly locale: string;
  readonly status: string;
  readonly progress: number;
  readonly outdatedFields: string[];
  readonly staleReason: string | null;
  readonly sourceVersion: number | null;
  readonly assigneeId: string | null;
  readonly note: string | null;
  readonly staleComment: string | null;
  readonly outdated: { field: string; sourceVersion: number | null; then: unknown; now: unknown }[];
}

/** An article with a title, in English only. */
export const newEntry = (desk: Desk, fields: Record<string, unknown> = { title: 'Lock' }): Promise<string> =>
  createEntry(desk.app, desk.project, { contentTypeApiName: 'article', fields }).then(({ id }) => id);

const path = (desk: Desk, id: string): string => `${desk.project.management}/entries/${id}`;

export async function write(
  desk: Desk,
  id: string,
  { locale, fields }: { locale: string; fields: Record<string, unknown> },
): Promise<void> {
  const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
  await must(desk.app, {
    method: 'PUT',
    path: path(desk, id),
    key: desk.project.keys.management,
    body: { version, locale, fields },
  });
}

export async function publishIn(desk: Desk, id: string, locale: string): Promise<void> {
  await publish(desk.app, desk.project, id, locale);
}

export async function translationsOf(desk: Desk, id: string): Promise<Shown[]> {
  const { body } = await desk.get(`/translations/${id}`);
  return (body as { data: { locales: Shown[] } }).data.locales;
}

export async function translationIn(desk: Desk, id: string, locale: string): Promise<Shown> {
  const found = (await translationsOf(desk, id)).find((one) => one.locale === locale);
  if (found === undefined) throw new Error(`no translation into ${locale}`);
  return found;
}

export const statusIn = async (desk: Desk, id: string, locale: string): Promise<string> =>
  (await translationIn(desk, id, locale)).status;
