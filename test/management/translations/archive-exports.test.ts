import { utimes } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { exportKey } from '../../../src/infrastructure/storage/media-storage.js';
import { startBeside } from '../../support/app.js';
import { issues, openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import {
  addressOf,
  downloaded,
  exported,
  filesIn,
  finished,
  jobIdOf,
  jobOf,
  published,
  startExport,
} from './archive-jobs.js';
import { newEntry, write } from './desk.js';

const app = useOwnApp();

describe('Exports of several translations', () => {
  verifies('translations/archives', 'translations/archive-jobs');

  it('write an archive of the files that single exports return', async () => {
    const desk = await openDesk(app());
    const ids = [await published(desk, { title: 'Lock' }), await published(desk, { title: 'Weir' })];
    const job = await exported(desk, { entryIds: ids });
    expect(job).toMatchObject({ status: 'done', total: 2, done: 2, failed: 0, error: null });
    const files = await filesIn(desk, job);
    expect(Object.keys(files)).toEqual(ids.map((id) => `${id}-de.xlf`));
    for (const id of ids) {
      const { body } = await app()
        .request.get(`${desk.project.management}/translations/${id}/de/export`)
        .set('Authorization', `Bearer ${desk.project.keys.management}`)
        .responseType('text');
      expect(files[`${id}-de.xlf`]).toBe(String(body));
    }
  });

  it('list the entries that could not be exported, with the reason', async () => {
    const desk = await openDesk(app());
    const good = await published(desk, { title: 'Lock' });
    const draft = await newEntry(desk, { title: 'Weir' });
    const unknown = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
    const job = await exported(desk, { entryIds: [draft, unknown, good, good] });
    expect(job).toMatchObject({ status: 'done', total: 3, done: 1, failed: 2 });
    expect(job.files.map(({ status, code }) => [status, code])).toEqual([
      ['failed', 'source_missing'],
      ['failed', 'entry_not_found'],
      ['done', null],
    ]);
    expect(Object.keys(await filesIn(desk, job))).toEqual([`${good}-de.xlf`]);
    const drafts = await exported(desk, { entryIds: [draft, good], source: 'draft', sourceLocale: 'en' });
    expect(drafts).toMatchObject({ done: 2, failed: 0, source: 'draft', sourceLocale: 'en' });
    const french = await exported(desk, { entryIds: [good], sourceLocale: 'fr', targetLocale: 'fr' });
    expect(french.files.map(({ code }) => code)).toEqual(['wrong_locale']);
    expect(await filesIn(desk, french)).toEqual({});
  });

  it('take the translations that a filter matches', async () => {
    const desk = await openDesk(app());
    const missing = await published(desk, { title: 'Lock' });
    const written = await published(desk, { title: 'Weir' });
    await write(desk, written, { locale: 'de', fields: { title: 'Wehr' } });
    const job = await exported(desk, { filter: { status: ['missing'], contentTypeApiName: ['article'] } });
    expect(job.files.map(({ entryId }) => entryId)).toEqual([missing]);
    const none = await startExport(desk, { filter: { status: ['stale'] } });
    expect(issues(none)).toEqual([['filter', 'no_match']]);
  });

  it('need entries or a filter, and a locale of the tenant', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk);
    expect(issues(await startExport(desk, {}))).toEqual([['entryIds', 'one_of']]);
    expect(issues(await startExport(desk, { entryIds: [id], filter: {} }))).toEqual([['entryIds', 'one_of']]);
    for (const key of ['targetLocale', 'sourceLocale']) {
      const refused = await startExport(desk, { entryIds: [id], [key]: 'xx' });
      expect(outcome(refused)).toEqual([404, 'locale_not_found']);
      expect(refused.body.details.path).toEqual([key]);
    }
    expect(outcome(await desk.get(`/translations/exports/${id}`))).toEqual([404, 'job_not_found']);
  });

  it('have a URL that works without a credential while its signature holds', async () => {
    const desk = await openDesk(app());
    const job = await exported(desk, { entryIds: [await published(desk, { title: 'Lock' })] });
    const { status, headers, body } = await downloaded(desk, job.url);
    expect([status, headers['content-type'], (body as Buffer).length]).toEqual([
      200,
      'application/zip',
      job.size,
    ]);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['content-disposition']).toContain('-de.zip"');
    const address = addressOf(job.url);
    const other = address.replace(job.jobId, '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
    for (const forged of [other, address.replace('exp=', 'exp=9'), address.split('?')[0] ?? ''])
      expect(outcome(await app().request.get(forged))).toEqual([403, 'invalid_signature']);
  });

  it('read with the rights that the caller has when the job runs', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const key = await desk.newKey({ type: 'management', permissions: ['read'] });
    const started = await startExport(desk.as(key.secret), { entryIds: [id] });
    await desk.delete(`/api-keys/${key.id}`);
    const job = await finished(desk, 'export', started);
    expect(job).toMatchObject({
      status: 'failed',
      error: { code: 'api_key_revoked' },
      url: null,
      size: null,
    });
  });

  it('are written again after a process died, and ended by the new one only', async () => {
    const now = { at: Date.now() };
    const beside = await startBeside(app(), { clock: () => new Date(now.at) });
    try {
      const desk = await openDesk(app());
      const id = await published(desk, { title: 'Lock' });
      const started = await startExport(desk, { entryIds: [id] });
      const jobId = jobIdOf(started);
      await app().rows(
        null,
        `UPDATE translation_jobs SET status = 'running', attempts = 1, lease_id = gen_random_uuid(),
           due_at = now() + interval '5 minutes' WHERE id = $1`,
        [jobId],
      );
      await beside.composition.jobs.exchangeTranslations();
      expect(await jobOf(desk, 'export', jobId)).toMatchObject({
        status: 'running',
        url: null,
        completedAt: null,
      });
      now.at += 900_000;
      await beside.composition.jobs.exchangeTranslations();
      expect(await jobOf(desk, 'export', jobId)).toMatchObject({ status: 'done', done: 1 });
    } finally {
      await beside.close();
    }
  });

  it('are tried again while the storage is unavailable', async () => {
    const desk = await openDesk(app());
    const { storage } = app().composition.services.media;
    const started = await startExport(desk, { entryIds: [await published(desk, { title: 'Lock' })] });
    const jobId = jobIdOf(started);
    const put = storage.put.bind(storage);
    try {
      storage.put = () => Promise.reject(new Error('unplugged'));
      await app().composition.jobs.exchangeTranslations();
    } finally {
      storage.put = put;
    }
    expect(await jobOf(desk, 'export', jobId)).toMatchObject({ status: 'queued', error: null });
    await app().rows(null, "UPDATE translation_jobs SET due_at = now() - interval '1 second' WHERE id = $1", [
      jobId,
    ]);
    expect(await finished(desk, 'export', started)).toMatchObject({ status: 'done', done: 1 });
  });

  it('are deleted when they expire, and their archives a day later', async () => {
    const desk = await openDesk(app());
    const job = await exported(desk, { entryIds: [await published(desk, { title: 'Lock' })] });
    const { jobs, services } = app().composition;
    const file = services.media.storage.pathOf?.(exportKey(desk.project.tenantId, job.jobId)) ?? '';
    const pruneAfter = async (days: number): Promise<void> => {
      const time = new Date(Date.now() - days * 86_400_000);
      await utimes(file, time, time);
      await jobs.prune();
    };
    await pruneAfter(7);
    expect((await downloaded(desk, job.url)).status).toBe(200);
    await app().rows(
      null,
      "UPDATE translation_jobs SET expires_at = now() - interval '1 second' WHERE id = $1",
      [job.jobId],
    );
    expect(outcome(await desk.get(`/translations/exports/${job.jobId}`))).toEqual([404, 'job_not_found']);
    await pruneAfter(9);
    expect((await downloaded(desk, job.url)).status).toBe(404);
    const rows = await app().rows(
      desk.project.tenantId,
      'SELECT 1 FROM translation_job_files WHERE job_id = $1',
      [job.jobId],
    );
    expect(rows).toEqual([]);
  });
});
