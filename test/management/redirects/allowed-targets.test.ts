import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { createLivePage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { RedirectDesk } from './desk.js';

verifies('routing/redirect-allowed-targets');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const allow = (allowedTargets: string[] | null) => redirects.desk.put('/sites/main', { allowedTargets });

describe('allowedTargets of a site', () => {
  it('limits the hosts of new targets and of those that are served', async () => {
    await redirects.made('/a', 'https://other.example/');
    await redirects.made('/shop', 'https://www.shop.example/x');
    await allow(['*.shop.example', 'example.org']);
    expect(await redirects.codeOf('/b', 'https://a.b.shop.example:8443/')).toBe(
      'https://a.b.shop.example:8443/',
    );
    expect(await redirects.codeOf('/c', 'https://example.org')).toBe('https://example.org/');
    expect(await redirects.codeOf('/d', 'https://shop.example/')).toBe('target_not_allowed');
    expect(await redirects.codeOf('/d', 'https://evilshop.example/')).toBe('target_not_allowed');
    expect(await redirects.codeOf('/d', 'https://example.org.evil.example/')).toBe('target_not_allowed');
    expect(await redirects.codeOf('/d', 'https://[::1]/')).toBe('target_not_allowed');
    expect(await redirects.codeOf('/d', '/path')).toBe('/path');
    expect(await redirects.leadsTo('/a')).toEqual([404, 'route_not_found']);
    expect(await redirects.leadsTo('/shop')).toBe('https://www.shop.example/x');
    const { project } = redirects.desk;
    const listed = await send(app(), { method: 'GET', path: `${project.delivery}/redirects` });
    expect((listed.body.data as { source: string }[]).map(({ source }) => source)).toEqual([
      '/b',
      '/c',
      '/d',
      '/shop',
    ]);
    await allow([]);
    expect(await redirects.leadsTo('/shop')).toEqual([404, 'route_not_found']);
    await allow(null);
    expect(await redirects.leadsTo('/a')).toBe('https://other.example/');
  });

  it('takes host names only', async () => {
    for (const host of [
      'https://a.example',
      'a.example/x',
      '*',
      '*.*.example',
      'a_b.example',
      'A.example',
      '',
    ])
      expect([host, (await allow([host])).status]).toEqual([host, 422]);
  });

  it('limits updates, imports and what unpublished pages redirect to', async () => {
    await allow(['shop.example']);
    const { id } = await redirects.made('/a', '/b');
    const updated = await redirects.desk.put(`/redirects/${id}`, { target: 'https://evil.example/' });
    expect([updated.status, (updated.body as { error: string }).error]).toEqual([422, 'target_not_allowed']);
    const report = await redirects.imported(
      'source,target\n/c,https://evil.example/\n/d,https://shop.example/d\n',
    );
    expect(report).toMatchObject({ created: 1, errors: [{ line: 2, code: 'target_not_allowed' }] });
    await createPageType(app(), redirects.desk.project);
    const page = await createLivePage(app(), redirects.desk.project, { slug: 'page' });
    const unpublish = (redirectTo: string) =>
      redirects.desk.post(`/entries/${page.id}/unpublish`, { locale: 'en', redirectTo });
    expect((await unpublish('https://evil.example/')).body).toMatchObject({ error: 'target_not_allowed' });
    expect((await unpublish('https://shop.example/p#x')).status).toBe(200);
    expect(await redirects.leadsTo('/page')).toBe('https://shop.example/p#x');
  });
});

describe('Redirects beyond paths in CSV', () => {
  it('are exported and imported unchanged', async () => {
    await redirects.made('/a?id=1', 'https://shop.example/?x=1#y', { queryMatch: 'pass' });
    await redirects.desk.post('/redirects', { siteId: redirects.siteId, source: '/gone', status: 410 });
    const before = await redirects.all();
    const csv = (await redirects.export()).text;
    expect(csv).toBe(
      'source,target,status,site,locale,matchType,queryMatch,isActive,note\r\n' +
        '/a?id=1,https://shop.example/?x=1#y,301,main,,exact,pass,true,\r\n' +
        '/gone,,410,main,,exact,ignore,true,\r\n',
    );
    expect(await redirects.imported(csv)).toMatchObject({ skipped: 2, failed: 0 });
    for (const { id } of before) await redirects.desk.delete(`/redirects/${id}`);
    expect(await redirects.imported(csv)).toMatchObject({ created: 2, failed: 0 });
    expect((await redirects.export()).text).toBe(csv);
  });

  it('names rows without a target, with one too many, or with an unknown queryMatch', async () => {
    await redirects.desk.post('/redirects', { siteId: redirects.siteId, source: '/gone', status: 410 });
    const rows = [
      '/a,,301,ignore',
      '/b,/x,410,ignore',
      '/c,/x,301,maybe',
      '/d,,410,',
      '/e,http://a.example,301,',
    ];
    const report = await redirects.imported(['source,target,status,queryMatch', ...rows].join('\n'));
    expect(report.created).toBe(1);
    expect(report.errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'target_required'],
      [3, 'unexpected_target'],
      [4, 'invalid_query_match'],
      [6, 'invalid_target'],
    ]);
    const bare = await redirects.imported('source,target\n/gone,\n/new,\n');
    expect(bare).toMatchObject({ skipped: 1, errors: [{ line: 3, code: 'target_required' }] });
  });
});
