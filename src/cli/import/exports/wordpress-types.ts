import type { SourceField, SourceType } from './export-source.js';

const field = (id: string, type: SourceField['type'], more: Partial<SourceField> = {}): SourceField => ({
  id,
  apiName: id,
  type,
  required: false,
  localized: false,
  ...more,
});

const shared = [
  field('title', 'text', { localized: true }),
  field('body', 'richText', { localized: true }),
  field('excerpt', 'longText', { localized: true }),
  field('image', 'media', { name: 'Featured image' }),
];

const of = (...contentTypes: string[]): Partial<SourceField> => ({ settings: { contentTypes } });

const type = (id: string, name: string, fields: readonly SourceField[]): SourceType => ({
  id,
  apiName: id,
  name,
  description: '',
  displayField: fields[0]?.id ?? null,
  isPage: id === 'post' || id === 'page',
  isLocalized: true,
  fields,
});

const term = [
  field('name', 'text', { localized: true, required: true }),
  field('description', 'longText', { localized: true }),
];

/** Content types of every WordPress site. */
export const wordPressTypes: readonly SourceType[] = [
  type('category', 'Category', [...term, field('parent', 'reference', of('category'))]),
  type('tag', 'Tag', term),
  type('page', 'Page', shared),
  type('post', 'Post', [
    ...shared,
    field('categories', 'reference', { ...of('category'), isList: true }),
    field('tags', 'reference', { ...of('tag'), isList: true }),
    field('format', 'text'),
    field('isSticky', 'boolean', { name: 'Sticky' }),
  ]),
];
