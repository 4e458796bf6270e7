import { beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { issues, outcome, useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';

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
describe('An import is refused', () => {
  it.each([
    ['another media type', 'a=b', 'application/x-www-form-urlencoded', [415, 'unsupported_media_type']],
    ['another charset', 'source,target\n', 'text/csv; charset=latin1', [415, 'unsupported_media_type']],
    ['a form without boundary', 'x', 'multipart/form-data', [400, 'invalid_request']],
    ['a form that breaks off', form('source,target\n').slice(0, 80), formType, [400, 'invalid_request']],
    ['a form without the file', form('source,target\n', 'upload'), formType, [422, 'validation_failed']],
    ['a form with two files', form('a').replace('--x--', form('b')), formType, [422, 'validation_failed']],
    ['an empty body', '', 'text/csv', [422, 'validation_failed']],
    ['a body without header row', '/a,/b\n', 'text/csv', [422, 'validation_failed']],
    ['bytes that are no UTF-8', Buffer.from([0x73, 0xff, 0x0a]), 'text/csv', [422, 'validation_failed']],
    ['half a character of UTF-16', Buffer.from([0xff, 0xfe, 0x73]), 'text/csv', [422, 'validation_failed']],
    ['more than 10 MiB', 'x'.repeat(limits.redirectImportBytes + 1), 'text/csv', [413, 'payload_too_large']],
  ])('rejects an import with %s', async (_what, body, type, refusal) => {
    expect(outcome(await redirects.import(body, '', type))).toEqual(refusal);
    expect(await redirects.all()).toEqual([]);
  });

  it('rejects an import with an invalid query', async () => {
    const csv = 'source,target\n/a,/b\n';
    expect(issues(await redirects.import(csv, '?mode=merge'))).toEqual([['mode', 'invalid_value']]);
    expect(issues(await redirects.import(csv, '?dryRun=perhaps'))).toEqual([['dryRun', 'invalid_type']]);
    expect(outcome(await redirects.import(csv, '?siteId=0198c0de-0000-7000-8000-000000000000'))).toEqual([
      404,
      'site_not_found',
    ]);
  });

  it('returns 403 to a key without all actions of the mode', async () => {
    const { secret } = await redirects.desk.newKey({ type: 'management', permissions: ['create'] });
    const body = { csv: 'source,target\n/a,/b\n' };
    const response = await redirects.desk.as(secret).post('/redirects/import', body);
    expect([...outcome(response), response.body.details.action]).toEqual([
      403,
      'permission_denied',
      'update',
    ]);
    const created = await redirects.desk.as(secret).post('/redirects/import', { ...body, mode: 'create' });
    expect(created.status).toBe(200);
  });

  it('rejects rows of sites that the key cannot write to', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    const { secret } = await redirects.desk.newKey({ type: 'management', siteIds: [other] });
    const { body } = await redirects.desk
      .as(secret)
      .post('/redirects/import', { csv: 'source,target,site\n/a,/b,main\n/a,/b,other\n' });
    expect(body.data).toMatchObject({ created: 1, errors: [{ line: 2, code: 'permission_denied' }] });
  });
});
