import { describe, expect, it } from '@jest/globals';
import { canonicalPath, pathAndAncestors } from '../../../src/features/routing/redirects/redirect-address.js';

describe('A path', () => {
  it.each([
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a/b/', '/a/b'],
    ['/%C3%BCber%20uns', '/über uns'],
    ['/u\u0308ber', '/über'],
    ['/A', '/A'],
    ['/a%2Fb', '/a/b'],
  ])('canonicalizes the path %j to %j', (given, canonical) => {
    expect(canonicalPath(given)).toBe(canonical);
  });

  it.each([
    '',
    'a',
    'https://example.com/a',
    '//example.com',
    '/a//b',
    '/%2Fexample.com',
    '/\\example.com',
    '/a/../b',
    '/./a',
    '/a/%2e%2e/b',
    '/a?b=1',
    '/a#b',
    '/a%3Fb',
    '/a%23b',
    '/100%',
    '/%ff',
    '/a%00b',
    '/a\u0000b',
    '/a\nb',
    '/\ud800',
    '/a%20',
    '/a//',
  ])('rejects the path %j', (given) => {
    expect(canonicalPath(given)).toMatchObject({ code: 'invalid_path' });
  });

  it('rejects paths longer than 2,000 bytes', () => {
    expect(canonicalPath(`/${'a'.repeat(1999)}`)).toEqual(expect.any(String));
    expect(canonicalPath(`/${'ü'.repeat(1000)}`)).toMatchObject({ code: 'too_long' });
  });

  it('lists the ancestors of a path', () => {
    expect(pathAndAncestors('/a/b/c')).toEqual(['/a/b/c', '/a/b', '/a', '/']);
    expect(pathAndAncestors('/')).toEqual(['/']);
  });
});
