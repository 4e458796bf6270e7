import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { createLivePage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { RedirectDesk } from './desk.js';

verifies('routing/redirect-targets', 'routing/redirect-queries', 'routing/redirect-gone');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

describe('A target of a redirect', () => {
  it.each([
    ['https://shop.example/x', 'https://shop.example/x'],
    ['HTTPS://Shop.Example', 'https://shop.example/'],
    ['https://bücher.example/ä?q=ö#ü', 'https://xn--bcher-kva.example/%C3%A4?q=%C3%B6#%C3%BC'],
    ['https://shop.example:8443/?a=1&b=2', 'https://shop.example:8443/?a=1&b=2'],
    ['/about#team', '/about#team'],
    ['/about/?utm=1&utm=ä', '/about?utm=1&utm=%C3%A4'],
    ['/%C3%BCber', '/über'],
  ])('%s is stored and served as %s', async (given, stored) => {
    expect(await redirects.codeOf('/old', given)).toBe(stored);
    expect(await redirects.leadsTo('/old?x=1')).toBe(stored);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https://user:secret@evil.example/',
    'https://user@evil.example/',
    'https://@evil.example/',
    'https://shop.example\\@evil.example/',
    'https://evil.example/\u0001',
    'https://shop.example/\t',
    'https://shop.example/a b',
    'https://shop.example/\u202Egpj',
    'https://shop.example/\r\nSet-Cookie:a=b',
    'https://%65vil.example%2Fx/',
    'http://shop.example/',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'JavaScript://shop.example/%0Aalert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    ' https://shop.example/',
    '/about?a=\n',
    '/about#a\\b',
    '/a/../b',
    'about',
    '?a=1',
  ])('%j is rejected', async (target) => {
    expect(['invalid_target', 'invalid_path']).toContain(await redirects.codeOf('/old', target));
  });

  it('is required, except for a path that is gone, which has none', async () => {
    expect(await redirects.codeOf('/a', null)).toBe('target_required');
    expect(await redirects.codeOf('/a', '/b', { status: 410 })).toBe('unexpected_target');
    expect(await redirects.codeOf('/a', null, { status: 410 })).toBeNull();
    expect(await redirects.codeOf('/c', `https://shop.example/${'ä'.repeat(500)}`)).toBe('too_long');
  });

  it('never gets its host from the path of a visitor', async () => {
    const regex = { matchType: 'regex' };
    expect(await redirects.codeOf('/to/(.*)', 'https://$1/', regex)).toBe('invalid_target');
    expect(await redirects.codeOf('/to/(.*)', 'https://shop.example$1', regex)).toBe('invalid_target');
    expect(await redirects.codeOf('/to/(.*)', 'https://shop.example:$1/', regex)).toBe('invalid_target');
    expect(await redirects.codeOf('/to(.*)', '$1', regex)).toBe('invalid_path');
    await redirects.made('/from(.*)', '/$1', regex);
    await redirects.made('/shop', 'https://shop.example', { matchType: 'prefix' });
    await redirects.made('/go/(.*)', 'https://shop.example/$1?q=$1#$1', regex);
    expect(await redirects.leadsTo('/from/evil.example')).toEqual([404, 'route_not_found']);
    expect(await redirects.leadsTo('/shop')).toBe('https://shop.example/');
    expect(await redirects.leadsTo('/shop/@evil.example/ä b')).toBe(
      'https://shop.example/%40evil.example/%C3%A4%20b',
    );
    expect(await redirects.leadsTo('/go/a&b=c/@d')).toBe(
      'https://shop.example/a%26b%3Dc/%40d?q=a%26b%3Dc%2F%40d#a%26b%3Dc%2F%40d',
    );
    expect(await redirects.leadsTo('/shop//evil.example')).toEqual([404, 'route_not_found']);
    expect(await redirects.leadsTo('/shop/..%2F..%2Fx')).toEqual([404, 'route_not_found']);
  });

  it('keeps query and fragment behind the rest of a prefix and the groups of a pattern', async () => {
    await redirects.made('/docs', '/help?from=docs#top', { matchType: 'prefix' });
    await redirects.made('/p/(\\d+)', '/products/$1?id=$1', { matchType: 'regex' });
    expect(await redirects.leadsTo('/docs/a/b')).toBe('/help/a/b?from=docs#top');
    expect(await redirects.leadsTo('/p/12')).toBe('/products/12?id=12');
  });

  it('ends a chain at another host, and passes a fragment on to a target without one', async () => {
    await redirects.made('/a', '/b#team');
    await redirects.made('/b', '/c?x=1', { status: 302 });
    await redirects.made('/c', 'https://shop.example/c');
    await redirects.made('/d', 'https://shop.example/d');
    expect((await redirects.route('/a')).body.data).toEqual({
      kind: 'redirect',
      target: 'https://shop.example/c#team',
      status: 302,
    });
    expect(await redirects.leadsTo('/d')).toBe('https://shop.example/d');
  });
});

describe('The query of a redirect', () => {
  it('has to be that of the source, in any order', async () => {
    await redirects.made('/index.php?id=12&lang=de', '/zwoelf');
    await redirects.made('/index.php?id=12', '/twelve');
    await redirects.made('/index.php?id=13', '/thirteen', { queryMatch: 'exact' });
    await redirects.made('/index.php', '/start', { queryMatch: 'exact' });
    expect(await redirects.leadsTo('/index.php?id=12')).toBe('/twelve');
    expect(await redirects.leadsTo('/index.php?utm=1&id=12')).toBe('/twelve');
    expect(await redirects.leadsTo('/index.php?lang=de&x=%20&id=12')).toBe('/zwoelf');
    expect(await redirects.leadsTo('/index.php?id=13')).toBe('/thirteen');
    expect(await redirects.leadsTo('/index.php?id=13&utm=1')).toEqual([404, 'route_not_found']);
    expect(await redirects.leadsTo('/index.php?id=123')).toEqual([404, 'route_not_found']);
    expect(await redirects.leadsTo('/index.php')).toBe('/start');
    expect(await redirects.leadsTo('/index.php?id=%27%20OR%201')).toEqual([404, 'route_not_found']);
  });

  it('is one redirect in whatever order and encoding the parameters are written', async () => {
    const { source } = await redirects.made('/i?b=%c3%a4&a', '/x');
    expect(source).toBe('/i?a=&b=%C3%A4');
    expect(await redirects.codeOf('/i?a=&b=ä', '/y')).toBe('redirect_conflict');
    expect(await redirects.codeOf('/i?b=a%CC%88&a', '/y')).toBe('redirect_conflict');
    expect(await redirects.codeOf('/i?b=~&a=%27', '/z')).toBe('/z');
    expect(await redirects.leadsTo("/i?a='&b=~")).toBe('/z');
  });

  it('is passed on with `pass`, without the parameters of the source and those that the target sets', async () => {
    await redirects.made('/a?id=1', 'https://shop.example/x?ref=site#top', { queryMatch: 'pass' });
    await redirects.made('/b', '/c', { queryMatch: 'pass', matchType: 'prefix' });
    await redirects.made('/d', '/e');
    expect(await redirects.leadsTo('/a?utm=2&id=1&ref=evil')).toBe(
      'https://shop.example/x?ref=site&utm=2#top',
    );
    expect(await redirects.leadsTo('/b/x?q=1&r=a%20b')).toBe('/c/x?q=1&r=a%20b');
    expect(await redirects.leadsTo('/b')).toBe('/c');
    expect(await redirects.leadsTo('/d?q=1')).toBe('/e');
  });

  it('belongs to exact sources alone', async () => {
    expect(await redirects.codeOf('/a?b=1', '/x', { matchType: 'prefix' })).toBe('invalid_path');
    expect(
      await redirects.codeOf(`/a?${[...'abcdefghijk'].map((name) => `${name}=1`).join('&')}`, '/x'),
    ).toBe('too_many_parameters');
    expect(await redirects.codeOf('/a?b=1#c', '/x')).toBe('invalid_path');
    expect(await redirects.codeOf('/a?b=1', '/a?b=1#c')).toBe('same_as_source');
  });

  it('is part of a loop', async () => {
    await redirects.made('/a', '/b?x=1');
    expect(await redirects.codeOf('/b?x=1', '/a')).toBe('redirect_loop');
    expect(await redirects.codeOf('/b?x=2', '/a')).toBe('/a');
    expect(await redirects.codeOf('/c', '/c?x=1')).toBe('redirect_loop');
    expect(await redirects.codeOf('/d', '/d?x=1', { queryMatch: 'exact' })).toBe('/d?x=1');
    expect(await redirects.leadsTo('/d')).toBe('/d?x=1');
  });
});

describe('A path that is gone', () => {
  it('is 410 on REST and an error of GraphQL, also at the end of a chain, until a page is there', async () => {
    const { project } = redirects.desk;
    await redirects.made('/old', '/gone');
    expect(await redirects.codeOf('/gone', null, { status: 410, matchType: 'prefix' })).toBeNull();
    const { status, body, headers } = await redirects.route('/old');
    expect([status, body.error]).toEqual([410, 'route_gone']);
    expect(headers['surrogate-key']).toContain('site:main');
    expect(await redirects.leadsTo('/gone/deep')).toEqual([410, 'route_gone']);
    const query = '{ resolveRoute(site: "main", locale: "en", path: "/gone") { kind } }';
    const asked = await send(app(), {
      method: 'POST',
      path: `/api/graphql/${project.slug}`,
      key: project.keys.delivery,
      body: { query },
    });
    expect(asked.body).toMatchObject({
      data: { resolveRoute: null },
      errors: [{ extensions: { code: 'route_gone' } }],
    });
    await createPageType(app(), redirects.desk.project);
    await createLivePage(app(), redirects.desk.project, { slug: 'gone' });
    expect((await redirects.route('/old')).body.data).toMatchObject({ kind: 'redirect', target: '/gone' });
    expect((await redirects.route('/gone')).body.data).toMatchObject({ kind: 'entry' });
  });

  it('loses its target when it becomes gone, and needs one when it comes back', async () => {
    const { id } = await redirects.made('/old', '/new');
    const change = async (body: object) => {
      const answer = await redirects.desk.put(`/redirects/${id}`, body);
      return [answer.status, (answer.body as { data?: { target: string | null } }).data?.target];
    };
    expect(await change({ status: 410 })).toEqual([200, null]);
    expect(await change({ status: 301 })).toEqual([422, undefined]);
    expect(await change({ status: 301, target: '/new#x' })).toEqual([200, '/new#x']);
  });
});
