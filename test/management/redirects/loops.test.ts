import { beforeEach, describe, expect, it } from '@jest/globals';
import { outcome, useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/redirect-loops');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const loop = [409, 'redirect_loop'];
const prefix = { matchType: 'prefix' };
const regex = { matchType: 'regex' };

describe('A loop is refused', () => {
  it('rejects a loop of two redirects', async () => {
    await redirects.made('/a', '/b');
    expect(outcome(await redirects.create('/b', '/a'))).toEqual(loop);
    expect(await redirects.pairs()).toEqual(['/a /b']);
  });

  it('rejects a loop through a chain of any length', async () => {
    for (let n = 0; n < 15; n += 1) await redirects.made(`/${n}`, `/${n + 1}`);
    expect(outcome(await redirects.create('/15', '/0'))).toEqual(loop);
    expect((await redirects.create('/15', '/end')).status).toBe(201);
  });

  it('rejects a loop that exists in one locale only', async () => {
    await redirects.made('/a', '/b');
    expect(outcome(await redirects.create('/b', '/a', { locale: 'de' }))).toEqual(loop);
    await redirects.made('/c', '/d', { locale: 'de' });
    expect(outcome(await redirects.create('/d', '/c'))).toEqual(loop);
    await redirects.made('/e', '/f', { locale: 'de' });
    await redirects.made('/f', '/g', { locale: 'fr' });
    expect((await redirects.create('/f', '/e', { locale: 'fr' })).status).toBe(409);
    expect((await redirects.create('/g', '/e')).status).toBe(201);
  });

  it('accepts redirects between different locales that form no loop for any visitor', async () => {
    await redirects.made('/a', '/b', { locale: 'de' });
    expect((await redirects.create('/b', '/a', { locale: 'fr' })).status).toBe(201);
  });

  it('accepts a redirect for a locale that overrides the one for all and so breaks the loop', async () => {
    await redirects.made('/a', '/b');
    await redirects.made('/a', '/x', { locale: 'de' });
    expect((await redirects.create('/b', '/a', { locale: 'de' })).status).toBe(201);
  });

  it.each([
    ['/a', '/a/b', prefix],
    ['/', '/a', prefix],
    ['/a.*', '/ab', regex],
    ['/a/(.*)', '/a/b/$1', regex],
  ])('rejects a redirect from %s to %s that forms a loop by itself', async (source, target, kind) => {
    expect(outcome(await redirects.create(source, target, kind))).toEqual(loop);
  });

  it('rejects a loop of prefixes and redirects below them', async () => {
    await redirects.made('/a', '/b', prefix);
    expect(outcome(await redirects.create('/b', '/a', prefix))).toEqual(loop);
    expect(outcome(await redirects.create('/b/x', '/a/x'))).toEqual(loop);
    await redirects.made('/d/x', '/c/x');
    expect(outcome(await redirects.create('/c', '/d', prefix))).toEqual(loop);
  });

  it('rejects a loop through a pattern', async () => {
    await redirects.made('/old/(\\d+)', '/new/$1', regex);
    expect(outcome(await redirects.create('/new/7', '/old/7'))).toEqual(loop);
    expect((await redirects.create('/new/x', '/old/x')).status).toBe(201);
  });

  it('ignores inactive redirects when it looks for loops', async () => {
    await redirects.made('/a', '/b', { isActive: false });
    const { id } = await redirects.made('/b', '/a');
    const off = (await redirects.all()).find(({ source }) => source === '/a');
    expect(outcome(await redirects.desk.put(`/redirects/${off?.id}`, { isActive: true }))).toEqual(loop);
    await redirects.desk.delete(`/redirects/${id}`);
    expect((await redirects.desk.put(`/redirects/${off?.id}`, { isActive: true })).status).toBe(200);
  });

  it('rejects an update that creates a loop and accepts one that ends it', async () => {
    await redirects.made('/a', '/b');
    const { id } = await redirects.made('/c', '/d');
    expect(outcome(await redirects.desk.put(`/redirects/${id}`, { source: '/b', target: '/a' }))).toEqual(
      loop,
    );
    const { id: first } = (await redirects.all())[0] ?? { id: '' };
    expect((await redirects.desk.put(`/redirects/${first}`, { source: '/b', target: '/a' })).status).toBe(
      200,
    );
  });

  it('rejects one of two concurrent redirects that form a loop', async () => {
    for (let n = 0; n < 5; n += 1) {
      const answers = await Promise.all([
        redirects.create(`/x${n}`, `/y${n}`),
        redirects.create(`/y${n}`, `/x${n}`),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  it('accepts redirects of different sites that would form a loop on one site', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    await redirects.made('/a', '/b');
    expect((await redirects.create('/b', '/a', { siteId: other })).status).toBe(201);
  });
});
