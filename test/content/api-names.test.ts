import { describe, expect, it } from '@jest/globals';
import { isReservedFieldName, isReservedTypeName, typeNameOf } from '../../src/content/model/api-names.js';

describe('typeNameOf', () => {
  it.each([
    ['article', 'Article'],
    ['blog_post', 'BlogPost'],
    ['blogPost', 'BlogPost'],
    ['BlogPost', 'BlogPost'],
    ['top_10_list', 'Top10List'],
    ['h1Title', 'H1Title'],
    ['FAQ', 'FAQ'],
    ['trailing_', 'Trailing'],
  ])('returns the GraphQL type name of %s as %s', (apiName, typeName) => {
    expect(typeNameOf(apiName)).toBe(typeName);
  });
});

describe('isReservedTypeName', () => {
  it.each([
    'query',
    'Query',
    'content_entry',
    'mediaAsset',
    'rich_text',
    'JSON',
    'location',
    'ID',
    'dateTime',
    'blogCollection',
    'blog_collection',
    'Collection',
    'entry',
    'Entry',
    'asset',
    'entryBySlug',
    'entry_by_slug',
    'resolveRoute',
  ])('reserves the type name %s', (apiName) => {
    expect(isReservedTypeName(apiName)).toBe(true);
  });

  it.each(['article', 'entries', 'collections', 'collectionItem', 'page'])(
    'allows the type name %s',
    (apiName) => {
      expect(isReservedTypeName(apiName)).toBe(false);
    },
  );
});

describe('isReservedFieldName', () => {
  it('reserves inherited property names and names with a leading __', () => {
    expect(
      ['__typename', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'].every(
        isReservedFieldName,
      ),
    ).toBe(true);
  });

  it('allows ordinary field names', () => {
    expect(['title', 'id', 'slug', 'type', 'then'].some(isReservedFieldName)).toBe(false);
  });
});
