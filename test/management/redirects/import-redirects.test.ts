import { beforeEach, describe, expect, it } from '@jest/globals';
import { useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/redirects', 'routing/redirect-csv');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const form = (text: string, name = 'file') =>
  [
    '--x',
    `Content-Disposition: form-data; name="${name}"; filename="redirects.csv"`,
    'Content-Type: text/csv',
    '',
    text,
    '--x--',
    '',
  ].join('\r\n');
const formType = 'multipart/form-data; boundary=x';
const counts = {
  total: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  deleted: 0,
  errors: [],
  dryRun: false,
};
const traces = async () => {
  const { tenantId } = redirects.desk.project;
  const [records] = await app().rows<{ count: string }>(
    tenantId,
    "SELECT count(*) FROM audit_events WHERE action LIKE 'redirect.%' AND tenant_id = $1",
    [tenantId],
  );
  const events = await app().rows<{ type: string }>(
    tenantId,
    'SELECT type FROM outbox_events WHERE tenant_id = $1',
    [tenantId],
  );
  return [Number(records?.count), events.filter(({ type }) => type.startsWith('redirect.')).length];
};

describe('An import from a spreadsheet', () => {
  verifies('routing/redirect-csv-dialects');

  const csv = 'source;target;note\r\n/größe;/neu;Ä – ü\r\n';
  const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
  const form = (content: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'),
      Buffer.from('Content-Type: application/vnd.ms-excel\r\n\r\n'),
      content,
      Buffer.from('\r\n--x--\r\n'),
    ]);

  it.each([
    ['UTF-8, by the name of a spreadsheet', Buffer.from(csv), 'application/vnd.ms-excel'],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${csv}`), 'text/csv; charset=utf-8'],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${csv}`, 'utf16le'), 'text/csv'],
    ['UTF-16 in the other byte order', swapped(`\uFEFF${csv}`), 'application/vnd.ms-excel'],
    ['UTF-16 that the header denies', Buffer.from(`\uFEFF${csv}`, 'utf16le'), 'text/csv; charset=utf-8'],
    ['UTF-16 without a mark, as the header says', Buffer.from(csv, 'utf16le'), 'text/csv; charset=UTF-16LE'],
    ['UTF-16 with tabs', Buffer.from(`\uFEFF${csv.replaceAll(';', '\t')}`, 'utf16le'), 'text/csv'],
    ['UTF-16 in a form', form(Buffer.from(`\uFEFF${csv}`, 'utf16le')), 'multipart/form-data; boundary=x'],
    ['a line that names the delimiter', Buffer.from(`sep=;\r\n${csv}`), 'text/csv'],
  ])('reads %s', async (_what, body, type) => {
    const response = await redirects.import(body, '', type);
    expect([response.status, response.body.data?.created, response.body.data?.errors]).toEqual([200, 1, []]);
    expect(await redirects.all()).toMatchObject([{ source: '/größe', target: '/neu', note: 'Ä – ü' }]);
  });

  it('reads semicolons as a key of JSON', async () => {
    const response = await redirects.desk.post('/redirects/import', { csv });
    expect([response.status, response.body.data.created]).toEqual([200, 1]);
  });
});

describe('An import', () => {
  it('accepts a text/csv body with a byte order mark, CRLF and quotes', async () => {
    const csv =
      '\uFEFFsource,target,status,site,locale,matchType,isActive,note\r\n"/a, b",/b,302,main,de,prefix,false,"x\r\n""y"""\r\n';
    expect(await redirects.imported(csv)).toEqual({ ...counts, total: 1, created: 1 });
    expect(await redirects.all()).toMatchObject([
      {
        source: '/a, b',
        target: '/b',
        status: 302,
        siteId: redirects.siteId,
        locale: 'de',
        matchType: 'prefix',
        isActive: false,
        note: 'x\r\n"y"',
        origin: 'import',
      },
    ]);
  });

  it('accepts a file of a multipart form', async () => {
    const { status, body } = await redirects.import(
      form('source,target\n/ä,/b\n'),
      '?dryRun=false',
      formType,
    );
    expect([status, body.data.created]).toEqual([200, 1]);
    expect(await redirects.pairs()).toEqual(['/ä /b']);
  });

  it('accepts JSON like tRPC', async () => {
    const { status } = await redirects.desk.post('/redirects/import', { csv: 'source,target\n/a,/b\n' });
    expect(status).toBe(200);
  });

  it('reports invalid rows with their lines and imports the others', async () => {
    await redirects.made('/z', '/y');
    const csv = [
      'source,target,status,site,locale,matchType,isActive,note',
      '/1,/b,,,,,,',
      'no-path,/b,,,,,,',
      '/2,,,,,,,',
      '/3,/b,303,,,,,',
      '/4,/b,,nowhere,,,,',
      '/5,/b,,,sv,,,',
      '/6,/b,,,,glob,,',
      '/7,/b,,,,,maybe,',
      '/8,/8,,,,,,',
      '/1,/c,,,,,,',
      '/(9,/b,,,,regex,,',
      '/10,/b,,,,,,,surplus',
      `/11,/b,,,,,,${'x'.repeat(1001)}`,
      '/y,/z,,,,,,',
      '"/12,/b,,,,,,',
      '/13,/b,,,,,,',
    ].join('\n');
    const report = await redirects.imported(csv);
    expect(report.errors.map(({ line, code }) => [line, code])).toEqual([
      [3, 'invalid_path'],
      [4, 'target_required'],
      [5, 'invalid_status'],
      [6, 'site_not_found'],
      [7, 'locale_not_found'],
      [8, 'invalid_match_type'],
      [9, 'invalid_is_active'],
      [10, 'same_as_source'],
      [11, 'redirect_conflict'],
      [12, 'invalid_pattern'],
      [13, 'column_count'],
      [14, 'too_long'],
      [15, 'redirect_loop'],
      [16, 'invalid_row'],
    ]);
    expect(report).toMatchObject({ total: 16, created: 2, failed: 14 });
    expect(await redirects.pairs()).toEqual(['/1 /b', '/13 /b', '/z /y']);
  });

  it('updates existing redirects and keeps properties without a column', async () => {
    await redirects.made('/a', '/b', { status: 302, note: 'kept' });
    await redirects.made('/c', '/d');
    const report = await redirects.imported('source,target\n/a,/x\n/c,/d\n/e,/f\n');
    expect(report).toEqual({ ...counts, total: 3, created: 1, updated: 1, skipped: 1 });
    expect((await redirects.all())[0]).toMatchObject({
      target: '/x',
      status: 302,
      note: 'kept',
      origin: 'manual',
    });
  });

  it('skips existing redirects with mode=create', async () => {
    await redirects.made('/a', '/b');
    expect(await redirects.imported('source,target\n/a,/x\n/e,/f\n', '?mode=create')).toEqual({
      ...counts,
      total: 2,
      created: 1,
      skipped: 1,
    });
    expect(await redirects.pairs()).toEqual(['/a /b', '/e /f']);
  });

  it('deletes unnamed redirects of the affected sites with mode=replace', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    await redirects.made('/a', '/b');
    await redirects.made('/c', '/d');
    await redirects.made('/z', '/y', { siteId: other });
    const csv = 'source,target,site\n/a,/x,main\n/d,/c,main\n';
    expect(await redirects.imported(csv, '?mode=replace')).toEqual({
      ...counts,
      total: 2,
      created: 1,
      updated: 1,
      deleted: 1,
    });
    expect(await redirects.pairs()).toEqual(['/a /x', '/d /c', '/z /y']);
    expect(await redirects.imported('source,target\n', `?mode=replace&siteId=${other}`)).toMatchObject({
      deleted: 1,
    });
  });

  it('deletes nothing with mode=replace when a row fails', async () => {
    await redirects.made('/a', '/b');
    const { body } = await redirects.import('source,target\n/c,/d\nbad,/e\n', '?mode=replace');
    expect([body.data.deleted, body.meta.warnings[0].code]).toEqual([0, 'nothing_deleted']);
    // The row forms a loop only with /a, which another loop keeps.
    const looping = await redirects.import('source,target\n/b,/a\n/x,/y\n/y,/x\n', '?mode=replace');
    expect(looping.body.data.errors.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
    expect(await redirects.pairs()).toEqual(['/a /b', '/c /d', '/x /y']);
  });

  it('rejects the last row of each loop', async () => {
    const report = await redirects.imported('source,target\n/a,/b\n/b,/a\n/p,/a\n/c,/d\n/d,/e\n/e,/c\n');
    expect(report.errors.map(({ line, code }) => [line, code])).toEqual([
      [3, 'redirect_loop'],
      [7, 'redirect_loop'],
    ]);
    expect(await redirects.pairs()).toEqual(['/a /b', '/c /d', '/d /e', '/p /a']);
  });

  it('reverses redirects that would form a loop one after the other', async () => {
    await redirects.made('/a', '/b');
    expect(await redirects.imported('source,target\n/b,/a\n/a,/c\n')).toMatchObject({
      created: 1,
      updated: 1,
    });
  });

  it('reports the same and changes nothing with dryRun', async () => {
    await redirects.made('/a', '/b');
    const before = await traces();
    const csv = 'source,target\n/a,/x\n/e,/f\n/b,\n';
    const dry = await redirects.imported(csv, '?dryRun=true');
    expect(await redirects.pairs()).toEqual(['/a /b']);
    expect(await traces()).toEqual(before);
    expect(await redirects.imported(csv)).toEqual({ ...dry, dryRun: false });
  });

  it('writes one audit record and one event, and none when nothing changes', async () => {
    await redirects.imported('source,target\n/a,/b\n/c,/d\n');
    expect(await traces()).toEqual([1, 1]);
    await redirects.imported('source,target\n/a,/b\n/c,/d\n');
    expect(await traces()).toEqual([1, 1]);
  });

  it('warns about ignored columns', async () => {
    const { body } = await redirects.import('source,target,hits\n/a,/b,7\n');
    expect(body.meta.warnings).toEqual([
      { code: 'unknown_column', message: 'The column "hits" was ignored.' },
    ]);
  });

  it('warns about sources with wildcards that are compared literally', async () => {
    const { body } = await redirects.import('source,target,matchType\n/a/*,/b,\n/c/(.*),/d/$1,regex\n');
    expect(body.meta.warnings).toEqual([
      { code: 'literal_source', message: expect.stringContaining('/a/*') },
    ]);
  });

  it('requires a site when there are several', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    const csv = 'source,target,site\n/a,/b,\n/a,/b,main\n';
    expect((await redirects.imported(csv)).errors).toMatchObject([{ line: 2, code: 'site_required' }]);
    expect(await redirects.imported(csv, `?siteId=${other}`)).toMatchObject({ created: 1, skipped: 1 });
  });
});
