import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AutoRedirectRepository,
  RedirectResolver,
  type PathChange,
} from '../../../src/features/routing/redirects/index.js';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { ReadPool } from '../../../src/persistence/connections/read-pool.js';
import { useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/redirects-of-changed-paths');

const app = useApp();
let redirects: RedirectDesk;
let pool: ReadPool;
let environmentId: string;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
  pool = new ReadPool({
    url: app().databaseUrl,
    role: 'headwater_reader',
    size: 1,
    onError: () => undefined,
  });
  const catalog = await app().composition.services.catalogs.find(redirects.desk.project.slug, null);
  environmentId = catalog?.data.environment.id ?? '';
});

afterEach(() => pool.close());

const resolve = (path: string, locale = 'en', isPage?: (path: string) => Promise<boolean>) =>
  new RedirectResolver(pool).resolve({
    environmentId,
    siteId: redirects.siteId,
    locale,
    path,
    query: '',
    allowedTargets: null,
    ...(isPage && { isPage }),
  });
const target = async (path: string, locale?: string) => (await resolve(path, locale))?.target;

const move = (...moves: (Omit<PathChange, 'siteId' | 'locale'> & { locale?: string })[]) => {
  const { tenantId, projectId } = redirects.desk.project;
  const scope = {
    ...systemScope({ command: 'tests' }),
    isPlatform: false,
    tenantId,
    projectId,
    environmentId,
  };
  return app().composition.services.units.run({ scope, isReadOnly: false, lock: 'none' }, (work) =>
    work
      .use(AutoRedirectRepository)
      .redirectMoves(moves.map((one) => ({ siteId: redirects.siteId, locale: 'en', ...one }))),
  );
};
const everywhere = (from: string, to: string) => ['en', 'de', 'fr'].map((locale) => ({ locale, from, to }));

describe('A path', () => {
  it('resolves a path in canonical form to its target', async () => {
    await redirects.made('/über', '/neu', { status: 308 });
    expect(await resolve('/%C3%BCber/')).toEqual({ target: '/neu', status: 308 });
    expect(await resolve('/other')).toBeUndefined();
    expect(await resolve('//über')).toBeUndefined();
    expect(await resolve('no path')).toBeUndefined();
  });

  it('ignores redirects that are inactive, of another locale or of another site', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    await redirects.made('/a', '/b', { isActive: false });
    await redirects.made('/c', '/d', { locale: 'de' });
    await redirects.made('/e', '/f', { siteId: other });
    expect(await Promise.all(['/a', '/c', '/e'].map((path) => target(path)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await target('/c', 'de')).toBe('/d');
  });

  it('prefers the exact redirect, then the longest prefix, then the oldest pattern', async () => {
    await redirects.made('/a/(.*)', '/pattern/$1', { matchType: 'regex' });
    await redirects.made('/a/.*', '/younger', { matchType: 'regex' });
    expect(await target('/a/b/c')).toBe('/pattern/b/c');
    await redirects.made('/a', '/short', { matchType: 'prefix' });
    await redirects.made('/a/b', '/long', { matchType: 'prefix' });
    expect(await target('/a/b/c')).toBe('/long/c');
    await redirects.made('/a/b/c', '/exact');
    expect(await target('/a/b/c')).toBe('/exact');
  });

  it('resolves a chain to its end, permanent only if every hop is', async () => {
    await redirects.made('/a', '/b');
    await redirects.made('/b', '/c', { matchType: 'prefix', status: 308 });
    expect(await resolve('/a')).toEqual({ target: '/c', status: 301 });
    await redirects.made('/c', '/d', { status: 302 });
    expect(await resolve('/a')).toEqual({ target: '/d', status: 302 });
    expect(await resolve('/b/x')).toEqual({ target: '/c/x', status: 308 });
    expect(await resolve('/b')).toEqual({ target: '/d', status: 307 });
  });

  it('follows up to 10 hops', async () => {
    for (let n = 0; n < 12; n += 1) await redirects.made(`/${n}`, `/${n + 1}`);
    expect([await target('/0'), await target('/5')]).toEqual(['/10', '/12']);
  });

  it('stops a chain at a page', async () => {
    await redirects.made('/a', '/b');
    await redirects.made('/b', '/c');
    const answer = await resolve('/a', 'en', (path) => Promise.resolve(path === '/b'));
    expect(answer).toEqual({ target: '/b', status: 301 });
  });

  it('resolves an undetected loop to nothing', async () => {
    await redirects.made('/cb', '/bz');
    await redirects.made('/(a|b)z', '/c$1', { matchType: 'regex' });
    expect(await resolve('/bz')).toBeUndefined();
  });
});

describe('The reader', () => {
  it('lets the reader role see only the columns needed to resolve redirects', async () => {
    await redirects.made('/a', '/b', { note: 'secret' });
    await redirects.made('/c', '/d', { isActive: false });
    const read = (text: string) => pool.run({ text }, []);
    const ofSite = `FROM redirects WHERE site_id = '${redirects.siteId}'`;
    expect(await read(`SELECT source ${ofSite}`)).toEqual([{ source: '/a' }]);
    await expect(read('SELECT note FROM redirects')).rejects.toThrow();
    await expect(read('SELECT tenant_id FROM redirects')).rejects.toThrow();
    await expect(read('DELETE FROM redirects')).rejects.toThrow();
  });
});

describe('A page that moves', () => {
  it('creates a redirect in the locale of a moved page', async () => {
    expect(await move({ from: '/a', to: '/b' }, { from: '/same', to: '/same' })).toBe(1);
    expect(await redirects.all()).toMatchObject([
      {
        source: '/a',
        target: '/b',
        status: 301,
        matchType: 'exact',
        locale: 'en',
        origin: 'auto',
        isActive: true,
      },
    ]);
    expect([await target('/a'), await target('/a', 'de')]).toEqual(['/b', undefined]);
  });

  it('creates no chains when a page moves repeatedly', async () => {
    await move({ from: '/a', to: '/b' });
    await move({ from: '/b', to: '/c' });
    await move({ from: '/c', to: '/d' });
    expect(await redirects.pairs()).toEqual(['/a /d', '/b /d', '/c /d']);
  });

  it('creates no loop when a page moves back', async () => {
    await move({ from: '/a', to: '/b' });
    await move({ from: '/b', to: '/a' });
    expect(await redirects.pairs()).toEqual(['/b /a']);
  });

  it('creates no redirect when two pages swap paths', async () => {
    expect(await move({ from: '/a', to: '/b' }, { from: '/b', to: '/a' })).toBe(0);
    expect(await move({ from: '/a', to: '/b' }, { from: '/b', to: '/c' })).toBe(1);
    expect(await redirects.pairs()).toEqual(['/a /b']);
  });

  it('retargets automatic redirects to a moved page', async () => {
    await move({ from: '/older', to: '/a' });
    await move({ from: '/a', to: '/b' });
    expect(await redirects.pairs()).toEqual(['/a /b', '/older /b']);
  });

  it('keeps the redirects that people wrote to or from a moved page', async () => {
    const written = await Promise.all([
      redirects.made('/all', '/a'),
      redirects.made('/english', '/a', { locale: 'en' }),
      redirects.made('/b', '/x', { locale: 'en' }),
      redirects.made('/a', '/y', { locale: 'de' }),
      redirects.made('/a', '/z', { locale: 'fr', isActive: false }),
    ]);
    expect((await redirects.imported('source,target,locale\n/c,/a,en\n')).created).toBe(1);
    const before = (await redirects.all()).filter(({ origin }) => origin !== 'auto');
    expect(before).toHaveLength(written.length + 1);
    expect(await move(...everywhere('/a', '/b'))).toBe(1);
    await move(...everywhere('/b', '/c'));
    await move(...everywhere('/c', '/a'));
    expect((await redirects.all()).filter(({ origin }) => origin !== 'auto')).toEqual(before);
  });

  it('writes one audit record and one event for each automatic redirect that it changes', async () => {
    await move({ from: '/older', to: '/a' });
    await move({ from: '/a', to: '/b' });
    await move({ from: '/b', to: '/a' });
    const { tenantId } = redirects.desk.project;
    const records = await app().rows<{ record: string }>(
      tenantId,
      `SELECT concat_ws(' ', action, target ->> 'name', before ->> 'target', after ->> 'target') AS record
       FROM audit_events WHERE target ->> 'type' = 'redirect' ORDER BY at, action, target ->> 'name'`,
    );
    expect(records.map(({ record }) => record)).toEqual([
      'redirect.create /older /a',
      'redirect.create /a /b',
      'redirect.update /older /a /b',
      'redirect.create /b /a',
      'redirect.delete /a /b',
      'redirect.update /older /b /a',
    ]);
    const events = await app().rows<{ event: string }>(
      tenantId,
      `SELECT concat_ws(' ', type, payload -> 'data' ->> 'source', payload -> 'data' ->> 'target') AS event
       FROM outbox_events WHERE type LIKE 'redirect.%' ORDER BY created_at, type, payload -> 'data' ->> 'source'`,
    );
    expect(events.map(({ event }) => event)).toEqual([
      'redirect.created /older /a',
      'redirect.created /a /b',
      'redirect.updated /older /b',
      'redirect.created /b /a',
      'redirect.deleted /a /b',
      'redirect.updated /older /a',
    ]);
  });

  it('runs four statements for a page that moves with 3,000 others', async () => {
    const moves = Array.from({ length: 3000 }, (_none, n) => ({ from: `/a/${n}`, to: `/b/${n}` }));
    const { result, statements } = await app().recordStatements(() => move(...moves));
    expect(result).toBe(3000);
    expect(statements.filter((sql) => sql.includes('redirects'))).toHaveLength(4);
    expect(await move(...moves.map(({ from, to }) => ({ from: to, to: from })))).toBe(3000);
    expect((await redirects.all('&q=/a/77'))[0]?.target).toBe('/a/77');
  });
});
