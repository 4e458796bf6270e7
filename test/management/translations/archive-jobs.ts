import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import { unzipped } from '../../support/archives.js';
import type { Desk } from '../../support/desk.js';
import { newEntry, publishIn } from './desk.js';

export interface ArchiveJob {
  readonly jobId: string;
  readonly status: string;
  readonly url: string | null;
  readonly size: number | null;
  readonly files: {
    entryId: string | null;
    status: string;
    code: string | null;
    untranslated: number;
    staleSource: number;
    invalid: number;
  }[];
}

type Kind = 'export' | 'import';

export async function jobOf(desk: Desk, kind: Kind, jobId: string): Promise<ArchiveJob> {
  return ((await desk.get(`/translations/${kind}s/${jobId}`)).body as { data: ArchiveJob }).data;
}

export const jobIdOf = ({ body }: Response): string => (body as { data: { jobId: string } }).data.jobId;

/** Runs jobs until this one has ended. */
export async function finished(desk: Desk, kind: Kind, response: Response): Promise<ArchiveJob> {
  expect([response.status, response.body]).toMatchObject([202, { data: { status: 'queued' } }]);
  for (;;) {
    await desk.app.composition.jobs.exchangeTranslations();
    const job = await jobOf(desk, kind, jobIdOf(response));
    if (job.status === 'done' || job.status === 'failed') return job;
  }
}

export async function published(desk: Desk, fields: Record<string, unknown>): Promise<string> {
  const id = await newEntry(desk, fields);
  await publishIn(desk, id, 'en');
  return id;
}

export const startExport = (desk: Desk, input: object): Promise<Response> =>
  desk.post('/translations/export', { targetLocale: 'de', ...input });

export const exported = async (desk: Desk, input: object): Promise<ArchiveJob> =>
  finished(desk, 'export', await startExport(desk, input));

/** The path and query of a URL, whose host is the public one. */
export const addressOf = (url: string | null): string => (url ?? '').replace(/^https?:\/\/[^/]+/, '');

export const downloaded = (desk: Desk, url: string | null): Promise<Response> =>
  Promise.resolve(desk.app.request.get(addressOf(url)).responseType('blob'));

export const filesIn = async (desk: Desk, { url }: ArchiveJob): Promise<Record<string, string>> =>
  unzipped((await downloaded(desk, url)).body as Buffer);

export const startImport = (
  desk: Desk,
  archive: Buffer,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> => {
  let request = desk.app.request
    .post(`${desk.project.management}/translations/import`)
    .set('Authorization', `Bearer ${desk.project.keys.management}`);
  for (const [name, value] of Object.entries(fields)) request = request.field(name, value);
  return Promise.resolve(request.attach('file', archive, 'de.zip'));
};

export const imported = async (
  desk: Desk,
  archive: Buffer,
  fields?: Readonly<Record<string, string>>,
): Promise<ArchiveJob> => finished(desk, 'import', await startImport(desk, archive, fields));
