import { beforeEach, describe, expect, it } from '@jest/globals';
import { issues, outcome, useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/redirects', 'routing/redirect-sources', 'routing/redirect-wildcards');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const missing = '0198c0de-0000-7000-8000-000000000000';

describe('Creating a redirect', () => {
  it('returns 201 with Location and defaults', async () => {
    const response = await redirects.create('/old', '/new');
    expect(response.status).toBe(201);
    const { id } = response.body.data;
    expect(response.headers.location).toBe(`${redirects.desk.project.management}/redirects/${id}`);
    expect(response.body.data).toEqual({
      id,
      siteId: redirects.siteId,
      source: '/old',
      target: '/new',
      status: 301,
      matchType: 'exact',
      queryMatch: 'ignore',
      locale: null,
      isActive: true,
      origin: 'manual',
      note: null,
      hitCount: 0,
      lastHitAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('keeps every given property and canonicalizes paths', async () => {
    const given = { status: 308, matchType: 'prefix', locale: 'de', isActive: false, note: 'Umzug' };
    expect(await redirects.made('/%C3%BCber/', '/u\u0308ber uns', given)).toMatchObject({
      ...given,
      source: '/über',
      target: '/über uns',
    });
  });

  it.each([
    ['exact', '/old/*', 1],
    ['exact', '/old/(.*)', 1],
    ['prefix', '/old/*', 1],
    ['regex', '/old/(.*)', 0],
    ['exact', '/old', 0],
    ['exact', '/old-(draft', 0],
  ])('with matchType %s and the source %s returns %i warnings', async (matchType, source, count) => {
    const { body, status } = await redirects.create(source, '/new', { matchType });
    expect(status).toBe(201);
    const warning = { code: 'literal_source', message: expect.stringContaining(`matchType ${matchType}`) };
    expect(body.meta).toEqual(count === 0 ? undefined : { warnings: [warning] });
    const changed = await redirects.desk.put(`/redirects/${body.data.id}`, { note: 'Moved' });
    expect(changed.body.meta).toEqual(body.meta);
  });

  it('writes one audit record and one event', async () => {
    const { id } = await redirects.made('/old', '/new');
    const { tenantId } = redirects.desk.project;
    const audit = await app().rows(tenantId, "SELECT action FROM audit_events WHERE target ->> 'id' = $1", [
      id,
    ]);
    expect(audit).toEqual([{ action: 'redirect.create' }]);
    const events = await app().rows(
      tenantId,
      "SELECT type FROM outbox_events WHERE payload -> 'data' ->> 'redirectId' = $1",
      [id],
    );
    expect(events).toEqual([{ type: 'redirect.created' }]);
  });

  it.each([
    [{ source: 'old' }, 'source', 'invalid_path'],
    [{ source: '/old#a' }, 'source', 'invalid_path'],
    [{ target: 'http://example.com/' }, 'target', 'invalid_target'],
    [{ target: '//example.com' }, 'target', 'invalid_path'],
    [{ source: '/same/', target: '/same' }, 'target', 'same_as_source'],
    [{ status: 303 }, 'status', 'invalid_value'],
    [{ matchType: 'regex', source: '/(' }, 'source', 'invalid_pattern'],
    [{ matchType: 'regex', source: '/a', target: '/$1' }, 'target', 'invalid_group'],
    [{ origin: 'auto' }, 'origin', 'unrecognized_key'],
    [{ hitCount: 9 }, 'hitCount', 'unrecognized_key'],
    [{ siteId: 'main' }, 'siteId', 'invalid_format'],
  ])('returns 422 for a redirect with %j', async (body, path, code) => {
    const response = await redirects.desk.post('/redirects', {
      siteId: redirects.siteId,
      source: '/old',
      target: '/new',
      ...body,
    });
    expect([response.status, issues(response)]).toEqual([422, [[path, code]]]);
  });

  it('returns 404 for an unknown site or a locale that the site does not have', async () => {
    const site = await redirects.create('/old', '/new', { siteId: missing });
    expect([...outcome(site), site.body.details]).toEqual([404, 'site_not_found', { path: ['siteId'] }]);
    expect(outcome(await redirects.create('/old', '/new', { locale: 'sv' }))).toEqual([
      404,
      'locale_not_found',
    ]);
  });

  it('returns 409 when site, locale and source already have a redirect of any kind', async () => {
    await redirects.made('/old', '/new');
    await redirects.made('/old', '/neu', { locale: 'de' });
    expect(outcome(await redirects.create('/old/', '/x'))).toEqual([409, 'redirect_conflict']);
    expect(outcome(await redirects.create('/old', '/x', { matchType: 'prefix' }))).toEqual([
      409,
      'redirect_conflict',
    ]);
    expect(outcome(await redirects.create('/old', '/x', { locale: 'de' }))).toEqual([
      409,
      'redirect_conflict',
    ]);
    expect((await redirects.create('/old', '/x', { locale: 'fr' })).status).toBe(201);
  });

  it('creates one of two concurrent redirects with the same source', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => redirects.create('/old', `/new-${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('returns 422 for more than 50 patterns on a site', async () => {
    for (let n = 0; n < 50; n += 1) await redirects.made(`/${n}/(.*)`, '/x/$1', { matchType: 'regex' });
    expect(outcome(await redirects.create('/y/(.*)', '/x/$1', { matchType: 'regex' }))).toEqual([
      422,
      'limit_reached',
    ]);
  });

  it('returns 403 to a key for other sites', async () => {
    const other = await redirects.desk.post('/sites', { slug: 'other', name: 'Other' });
    const { secret } = await redirects.desk.newKey({ type: 'management', siteIds: [other.body.data.id] });
    const body = { siteId: redirects.siteId, source: '/old', target: '/new' };
    const response = await redirects.desk.as(secret).post('/redirects', body);
    expect([...outcome(response), response.body.details.siteId]).toEqual([
      403,
      'permission_denied',
      redirects.siteId,
    ]);
  });
});
