import { describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { zipOf } from '../../support/archives.js';
import { issues, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { superAdmin } from '../../support/factories/project.js';
import { blocksIn, createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';
import { verifies } from '../../support/verifies.js';
import { filled } from '../../support/filled-xliff.js';
import { change, now } from '../entries/history.js';
import { exported, filesIn, finished, imported, jobIdOf, published, startImport } from './archive-jobs.js';
import { publishIn, translationIn, write } from './desk.js';

const app = useOwnApp();

const titleIn = async (desk: Desk, id: string): Promise<unknown> => {
  const { body } = await desk.get(`/entries/${id}?locale=de`);
  return (body as { data: { fields: { title?: string } } }).data.fields.title;
};

/** A file whose title is translated. */
const translated = (xliff: string, title: string): string =>
  xliff.replace(
    /(<source xml:space="preserve">.*?<\/source>)(?:<target>.*?<\/target>)?/s,
    `$1<target>${title}</target>`,
  );

describe('Imports of several translations', () => {
  verifies('translations/archives', 'translations/archive-jobs');

  it('bring an exported archive into an empty locale', async () => {
    const desk = await openDesk(app());
    const ids = [await published(desk, { title: 'Lock' }), await published(desk, { title: 'Weir' })];
    const files = await filesIn(desk, await exported(desk, { entryIds: ids }));
    const archive = await zipOf(
      Object.fromEntries(Object.entries(files).map(([name, xliff]) => [`de/${name}`, filled(xliff)])),
    );
    const job = await imported(desk, archive);
    expect(job).toMatchObject({ status: 'done', total: 2, done: 2, failed: 0, size: archive.length });
    expect(job.files[0]).toMatchObject({ entryId: ids[0], locale: 'de', applied: 1, untranslated: 0 });
    expect([await titleIn(desk, ids[0] ?? ''), await titleIn(desk, ids[1] ?? '')]).toEqual(['Lock', 'Weir']);
    expect(await translationIn(desk, ids[1] ?? '', 'de')).toMatchObject({ status: 'needs_review' });
  });

  it('write translations of blocks, and count units of blocks that were removed', async () => {
    const desk = await openDesk(app());
    await createLeafletTypes(desk);
    const sections = [section({ title: 'Upper lock' }), section({ title: 'Weir' })];
    const made = await leaflet(desk, { title: 'Rivers', sections });
    await publishIn(desk, made.id, 'en');
    const files = await filesIn(desk, await exported(desk, { entryIds: [made.id] }));
    const kept = blocksIn(made, 'sections')[1]?._ref;
    await change(desk, made.id, { fields: { sections: [{ _ref: kept }] } });
    const archive = await zipOf(
      Object.fromEntries(Object.entries(files).map(([name, xliff]) => [name, filled(xliff)])),
    );
    const job = await imported(desk, archive);
    expect(job.files).toMatchObject([{ status: 'done', applied: 2, invalid: 1 }]);
    const german = await now(desk, made.id, '?locale=de');
    expect(german.fields.sections).toMatchObject([{ _ref: kept, fields: { title: 'Weir' } }]);
  });

  it('keep the outcome of each file, and do not stop at one that fails', async () => {
    const desk = await openDesk(app());
    const [one, two, three] = [
      await published(desk, { title: 'Lock {name}' }),
      await published(desk, { title: 'Weir' }),
      await published(desk, { title: 'Gate' }),
    ];
    const files = await filesIn(desk, await exported(desk, { entryIds: [one, two, three] }));
    const xliffOf = (id: string): string => files[`${id}-de.xlf`] ?? '';
    await write(desk, two, { locale: 'en', fields: { title: 'Mill' } });
    await publishIn(desk, two, 'en');
    const archive = await zipOf({
      '1-broken.xlf': '<xliff',
      '2-doctype.xlf': '<!DOCTYPE xliff SYSTEM "http://127.0.0.1/x.dtd"><xliff/>',
      '3-other.xlf': xliffOf(three).replaceAll(three, '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
      '4-codes.xlf': translated(xliffOf(one), 'Schleuse'),
      '5-stale.xlf': translated(xliffOf(two), 'Wehr'),
      '6-empty.xlf': xliffOf(three),
      '7-notes.txt': 'Read me',
      '8-nested.zip': await zipOf({ 'x.xlf': xliffOf(three) }),
      '9-bytes.xlf': Buffer.from([0xff, 0xfe, 0x00]),
      'large.xlf': Buffer.alloc(limits.xliffImportBytes + 1, ' '),
    });
    const job = await imported(desk, archive);
    expect(job).toMatchObject({ status: 'done', total: 10, done: 3, failed: 7 });
    expect(job.files.map(({ code }) => code)).toEqual([
      'malformed_xml',
      'doctype',
      'entry_not_found',
      null,
      null,
      null,
      'unsupported_file_type',
      'unsupported_file_type',
      'invalid_encoding',
      'payload_too_large',
    ]);
    const counts = job.files.map(({ invalid, staleSource, untranslated }) => [
      invalid,
      staleSource,
      untranslated,
    ]);
    const none = [0, 0, 0];
    expect(counts.slice(0, 3)).toEqual([none, none, none]);
    expect(counts.slice(3, 6)).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(counts.slice(6)).toEqual([none, none, none, none]);
    const stale = await zipOf({ 'two.xlf': translated(xliffOf(two), 'Wehr') });
    expect(await imported(desk, stale, { applyStale: 'true' })).toMatchObject({ done: 1, applyStale: true });
    expect(await titleIn(desk, two)).toBe('Wehr');
  });

  it('apply one file for a translation', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const [xliff = ''] = Object.values(await filesIn(desk, await exported(desk, { entryIds: [id] })));
    const archive = await zipOf({
      'a.xlf': translated(xliff, 'Schleuse'),
      'b.xlf': translated(xliff, 'Schloss'),
    });
    const job = await imported(desk, archive);
    expect(job.files.map(({ code }) => code)).toEqual([null, 'conflict']);
    expect(await titleIn(desk, id)).toBe('Schleuse');
  });

  it('continue after a process died, without applying a file twice', async () => {
    const desk = await openDesk(app());
    const ids = [await published(desk, { title: 'Lock' }), await published(desk, { title: 'Weir' })];
    const files = await filesIn(desk, await exported(desk, { entryIds: ids }));
    const archive = await zipOf(
      Object.fromEntries(Object.entries(files).map(([name, xliff]) => [name, filled(xliff)])),
    );
    const started = await startImport(desk, archive);
    const jobId = jobIdOf(started);
    // As if a process had applied the first file and died.
    await app().rows(
      desk.project.tenantId,
      `WITH job AS (UPDATE translation_jobs SET status = 'running', attempts = 1, done = 1, due_at = now() - interval '1 second' WHERE id = $1)
       UPDATE translation_job_files SET status = 'done' WHERE job_id = $1 AND position = 0`,
      [jobId],
    );
    const job = await finished(desk, 'import', started);
    expect(job).toMatchObject({ status: 'done', done: 2, failed: 0 });
    expect([await titleIn(desk, ids[0] ?? ''), await titleIn(desk, ids[1] ?? '')]).toEqual([
      undefined,
      'Weir',
    ]);
  });

  it('write what the caller may write', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const [xliff = ''] = Object.values(await filesIn(desk, await exported(desk, { entryIds: [id] })));
    const editor = await systemRoleId(app(), desk.project, 'editor');
    const member = await createMember(app(), desk.project, [editor]);
    const content = (await zipOf({ 'a.xlf': filled(xliff) })).toString('base64');
    const file = { fileName: 'de.zip', content };
    const started = await desk.as(member.token).post('/translations/import', { file });
    const roleIds = [await systemRoleId(app(), desk.project, 'viewer')];
    const changed = await desk.as(await superAdmin(app())).put(`/users/${member.id}`, { roleIds });
    expect(changed.status).toBe(200);
    const job = await finished(desk, 'import', started);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'permission_denied' } });
    expect(await titleIn(desk, id)).toBeUndefined();
  });

  it('refuse files of sites that the key may not write to', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const [xliff = ''] = Object.values(await filesIn(desk, await exported(desk, { entryIds: [id] })));
    const other = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body as {
      data: { id: string };
    };
    const key = await desk.newKey({ type: 'management', siteIds: [other.data.id] });
    const content = (await zipOf({ 'a.xlf': filled(xliff) })).toString('base64');
    const file = { fileName: 'de.zip', content };
    const started = await desk.as(key.secret).post('/translations/import', { file });
    const job = await finished(desk, 'import', started);
    expect(job.files.map(({ status, code }) => [status, code])).toEqual([['failed', 'permission_denied']]);
    expect(await titleIn(desk, id)).toBeUndefined();
  });

  it('leave audit records of the job and of each translation, by the caller', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const [xliff = ''] = Object.values(await filesIn(desk, await exported(desk, { entryIds: [id] })));
    const { jobId } = await imported(desk, await zipOf({ 'a.xlf': filled(xliff) }));
    for (const action of ['translation_import.create', 'translation_import.finish', 'translation.import']) {
      const { body } = await desk.get(`/audit-events?action=${action}`);
      const [record] = (body as { data: { actor: { type: string }; target: { id: string } }[] }).data;
      expect([action, record?.actor.type, record?.target.id]).toEqual([
        action,
        'api_key',
        action === 'translation.import' ? id : jobId,
      ]);
    }
  });

  it('are refused before a job starts if the archive is not what it should be', async () => {
    const desk = await openDesk(app());
    const refused = async (archive: Buffer): Promise<unknown> => issues(await startImport(desk, archive));
    expect(await refused(Buffer.from('<xliff/>'))).toEqual([['file', 'invalid_zip']]);
    expect(await refused(await zipOf({ 'a.txt': 'x' }))).toEqual([['file', 'no_match']]);
    const outside = await zipOf({ 'aa/x.xlf': 'x' });
    const renamed = Buffer.from(outside.toString('latin1').replaceAll('aa/', '../'), 'latin1');
    expect(await refused(renamed)).toEqual([['file', 'invalid_name']]);
    expect(outcome(await desk.post('/translations/import', {}))).toEqual([422, 'validation_failed']);
  });
});
