import { describe, expect, it } from '@jest/globals';
import { RedirectIndex } from '../../../src/features/routing/redirects/resolve/redirect-index.js';
import { parsePaths, type RedirectRule } from '../../../src/features/routing/redirects/redirect-rule.js';

let made = 0;
const rule = (source: string, target: string, more: Partial<RedirectRule> = {}): RedirectRule => ({
  id: String((made += 1)),
  source,
  target,
  status: 301,
  matchType: 'exact',
  queryMatch: 'ignore',
  locale: null,
  ...more,
});
const target = (rules: RedirectRule[], path: string, locale = 'en') =>
  new RedirectIndex(rules).match(path, locale)?.target;

describe('Precedence of redirects', () => {
  it('prefers an exact redirect to a prefix and a prefix to a pattern', () => {
    const rules = [
      rule('/(a).*', '/pattern', { matchType: 'regex' }),
      rule('/a', '/prefix', { matchType: 'prefix' }),
      rule('/a/b', '/exact'),
    ];
    expect(target(rules, '/a/b')).toBe('/exact');
    expect(target(rules, '/a/c')).toBe('/prefix/c');
    expect(target(rules, '/ab')).toBe('/pattern');
  });

  it('prefers the longest prefix', () => {
    const rules = [
      rule('/', '/root', { matchType: 'prefix' }),
      rule('/a', '/short', { matchType: 'prefix' }),
      rule('/a/b', '/long', { matchType: 'prefix' }),
    ];
    expect(target(rules, '/a/b/c')).toBe('/long/c');
    expect(target(rules, '/a/x')).toBe('/short/x');
    expect(target(rules, '/x')).toBe('/root/x');
  });

  it('prefers the oldest pattern', () => {
    const rules = [
      rule('/a.*', '/first', { matchType: 'regex' }),
      rule('/.*', '/second', { matchType: 'regex' }),
    ];
    expect([target(rules, '/ab'), target(rules, '/b')]).toEqual(['/first', '/second']);
  });

  it('prefers a redirect for the locale to one for all', () => {
    const rules = [rule('/a', '/all'), rule('/a', '/german', { locale: 'de' })];
    expect([target(rules, '/a', 'de'), target(rules, '/a', 'en')]).toEqual(['/german', '/all']);
  });
});

describe('A prefix', () => {
  it('matches a prefix at a segment and keeps the rest of the path', () => {
    const rules = [rule('/blog', '/news', { matchType: 'prefix' })];
    expect(target(rules, '/blog')).toBe('/news');
    expect(target(rules, '/blog/2020/a')).toBe('/news/2020/a');
    expect(target(rules, '/blogger')).toBeUndefined();
  });

  it('redirects from and to the root by prefix', () => {
    expect(target([rule('/old', '/', { matchType: 'prefix' })], '/old/a')).toBe('/a');
    expect(target([rule('/', '/new', { matchType: 'prefix' })], '/a')).toBe('/new/a');
  });
});

describe('A pattern', () => {
  const of = (source: string, to: string) => [rule(source, to, { matchType: 'regex' })];

  it('matches a pattern against the whole path and inserts its groups', () => {
    const rules = of('/blog/(\\d{4})/(?<slug>[^/]+)', '/$2/in/$1');
    expect(target(rules, '/blog/2020/locks')).toBe('/locks/in/2020');
    expect(target(rules, '/blog/2020/locks/more')).toBeUndefined();
  });

  it('ignores results that are not paths, such as another host', () => {
    expect(target(of('/go/(.*)', '/$1'), '/go//example.com')).toBeUndefined();
    expect(target(of('/go(.*)', '/$1'), '/go/example.com')).toBeUndefined();
    expect(target(of('/go/(.*)', '/a/$1'), '/go/')).toBe('/a');
  });

  it('finds no match for a pattern that would never end in a backtracking engine', () => {
    expect(target(of('/(a+)+b', '/x'), `/${'a'.repeat(1900)}`)).toBeUndefined();
  });

  it.each([
    ['/a|/b', '/b'],
    ['/ab?', '/a'],
    ['/ab*c', '/ac'],
    ['/ab{0,1}c', '/ac'],
    ['/(?i)AB', '/ab'],
    ['/\\x61', '/a'],
  ])('matches the pattern %s against %s', (source, path) => {
    expect(target(of(source, '/x'), path)).toBe('/x');
  });

  it.each([
    ['/(a', '/x', 'invalid_pattern'],
    ['/(a)\\1', '/x', 'invalid_pattern'],
    ['/(?=a)', '/x', 'invalid_pattern'],
    ['a', '/x', 'invalid_pattern'],
    ['/(a)', '/$2', 'invalid_group'],
    ['/(a{30}){30}', '/x', 'pattern_too_costly'],
    [`/${'a'.repeat(500)}`, '/x', 'too_long'],
  ])('rejects the pattern %s with target %s as %s', (source, to, code) => {
    expect(parsePaths({ source, target: to, matchType: 'regex', status: 301 })).toMatchObject([{ code }]);
  });
});
