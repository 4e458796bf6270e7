/** Parts of an export of Contentful, as its command writes them. */
export const link = (linkType: string, id: string): object => ({ sys: { type: 'Link', linkType, id } });

export const field = (id: string, type: string, more: object = {}): object => ({
  id,
  name: id,
  type,
  localized: false,
  required: false,
  validations: [],
  disabled: false,
  omitted: false,
  ...more,
});

export const type = (id: string, fields: readonly object[], more: object = {}): object => ({
  sys: { id, type: 'ContentType' },
  name: id,
  displayField: 'title',
  description: '',
  fields,
  ...more,
});

const times = {
  createdAt: '2020-01-02T03:04:05.000Z',
  updatedAt: '2021-01-02T03:04:05.000Z',
  publishedAt: '2021-01-02T03:04:04.000Z',
};

/** Published, unless the versions say something else. */
export const entry = (contentType: string, id: string, fields: object, sys: object = {}): object => ({
  metadata: { tags: [] },
  sys: {
    id,
    type: 'Entry',
    version: 2,
    publishedVersion: 1,
    ...times,
    createdBy: link('User', 'ada'),
    contentType: link('ContentType', contentType),
    ...sys,
  },
  fields,
});

export const asset = (id: string, url: string, more: object = {}): object => ({
  metadata: { tags: [] },
  sys: { id, type: 'Asset', version: 2, publishedVersion: 1, ...times },
  fields: {
    title: { en: id },
    file: { en: { url, fileName: `${id}.svg`, contentType: 'image/svg+xml' } },
    ...more,
  },
});

export const space = (parts: object): object => ({
  locales: [{ code: 'en', name: 'English', default: true, fallbackCode: null }],
  contentTypes: [],
  entries: [],
  assets: [],
  ...parts,
});

/** A node of rich text of Contentful. */
export const node = (nodeType: string, content: readonly object[] = [], data: object = {}): object => ({
  nodeType,
  data,
  content,
});
export const text = (value: string, ...marks: readonly string[]): object => ({
  nodeType: 'text',
  value,
  marks: marks.map((one) => ({ type: one })),
  data: {},
});

/** A type of entries that link each other, and an entry of it, whose title is its id. */
export const post = type('post', [field('title', 'Symbol'), field('next', 'Link', { linkType: 'Entry' })]);
export const note = (id: string, fields: object = {}, sys: object = {}): object =>
  entry('post', id, { title: { en: id }, ...fields }, sys);
