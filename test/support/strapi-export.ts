import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packTar, type TarEntry } from 'modern-tar';

const localized = { i18n: { localized: true } };

const contentType = (name: string, attributes: object, more: object = {}) => ({
  uid: `api::${name}.${name}`,
  kind: 'collectionType',
  modelType: 'contentType',
  modelName: name,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  pluginOptions: {},
  attributes: {
    ...attributes,
    createdAt: { type: 'datetime' },
    publishedAt: { type: 'datetime' },
    createdBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user' },
    localizations: { type: 'relation', relation: 'oneToMany', target: `api::${name}.${name}` },
  },
  ...more,
});

const component = (uid: string, attributes: object) => ({
  uid,
  modelType: 'component',
  info: { displayName: uid },
  attributes,
});

export const ARTICLE = 'api::article.article';
const TAG = 'api::tag.tag';

const articleAttributes = {
  title: { type: 'string', required: true, maxLength: 100, pluginOptions: localized },
  slug: { type: 'uid', targetField: 'title' },
  rank: { type: 'integer', min: 0, default: 1 },
  big: { type: 'biginteger' },
  open: { type: 'boolean' },
  day: { type: 'date' },
  kind: { type: 'enumeration', enum: ['long', 'short'] },
  odd: { type: 'enumeration', enum: ['one'] },
  facts: { type: 'json' },
  body: { type: 'blocks', pluginOptions: localized },
  notes: { type: 'richtext' },
  secret: { type: 'string', private: true },
  key: { type: 'password' },
  tone: { type: 'plugin::tones.tone' },
  cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
  shots: { type: 'media', multiple: true },
  tags: { type: 'relation', relation: 'manyToMany', target: TAG, inversedBy: 'articles' },
  related: { type: 'relation', relation: 'oneToMany', target: ARTICLE },
  owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  seo: { type: 'component', component: 'shared.seo', required: true },
  sections: {
    type: 'dynamiczone',
    components: ['sections.hero', 'sections.quote'],
    pluginOptions: localized,
  },
};

export const schemas = [
  contentType('article', articleAttributes, { pluginOptions: localized }),
  contentType('tag', {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'manyToMany', target: ARTICLE, mappedBy: 'tags' },
  }),
  contentType('home', { title: { type: 'string' } }, { kind: 'singleType', options: {} }),
  component('shared.seo', {
    metaTitle: { type: 'string', required: true },
    links: { type: 'component', component: 'shared.link', repeatable: true, max: 5 },
  }),
  component('shared.link', {
    label: { type: 'string' },
    target: { type: 'relation', relation: 'oneToOne', target: ARTICLE },
  }),
  component('sections.hero', { text: { type: 'richtext' }, picture: { type: 'media', multiple: false } }),
  component('sections.quote', { words: { type: 'text' } }),
  contentType('user', {}, { uid: 'plugin::users-permissions.user' }),
];

const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const item = (words: string) => ({ type: 'list-item', children: [text(words)] });
const file = { url: '/uploads/lock_1a.svg', name: 'lock.svg', alternativeText: 'A lock' };

const body = [
  { type: 'heading', level: 2, children: [text('Head')] },
  {
    type: 'paragraph',
    children: [
      text('b', { bold: true }),
      { type: 'link', url: 'https://example.com', children: [text('l', { italic: true })] },
      { type: 'link', url: 'javascript:alert(1)', children: [text('n')] },
    ],
  },
  {
    type: 'list',
    format: 'unordered',
    children: [item('1'), { type: 'list', format: 'ordered', children: [item('1.1')] }, item('2')],
  },
  { type: 'image', image: file, children: [text('')] },
  { type: 'code', language: 'js', children: [text('a\nb')] },
  { type: 'quote', children: [text('q\nr')] },
  { type: 'gallery', children: [] },
];

const times = { createdAt: '2020-01-02T03:04:05.000Z', updatedAt: '2020-02-03T04:05:06.000Z' };
const published = { ...times, publishedAt: '2020-03-04T05:06:07.000Z' };
const entity = (type: string, id: number, data: object) => ({ type, id, data });

const shared = {
  slug: 'lock',
  rank: 3,
  big: '9007199254740993',
  open: true,
  day: '2020-01-01',
  kind: 'long',
  odd: 'two',
  facts: { a: [1] },
  notes: 'See ![A lock](/uploads/lock_1a.svg) **now**',
  secret: 'x',
  key: 'planted',
  tone: { hue: 3 },
};
const seo = (id: number) => ({
  id,
  metaTitle: 'Meta',
  links: [
    { id: id * 10, label: 'one' },
    { id: id * 10 + 1, label: 'two' },
  ],
});
const sections = (id: number) => [
  { id, __component: 'sections.hero', text: '# Hi' },
  { id, __component: 'sections.quote', words: 'Q' },
  { id: id + 1, __component: 'sections.hero', text: 'Again' },
  { id, __component: 'sections.gone' },
];

/** Of Strapi 5: a draft, and what is published, are rows of one document. */
const entities = [
  entity('plugin::i18n.locale', 1, { name: 'German', code: 'de' }),
  entity('plugin::i18n.locale', 2, { name: 'English', code: 'en' }),
  entity('plugin::upload.folder', 1, { name: 'Locks', path: '/1' }),
  entity('plugin::upload.file', 7, {
    ...file,
    documentId: 'lock',
    hash: 'lock_1a',
    ext: '.svg',
    caption: 'Cap',
    folderPath: '/1',
    formats: { small: { url: '/uploads/small_lock_1a.svg' } },
  }),
  entity('plugin::upload.file', 8, { name: 'gone.png', hash: 'gone', ext: '.png', url: '/uploads/gone.png' }),
  entity('plugin::users-permissions.user', 1, { email: 'ada@example.com', password: 'planted' }),
  entity(ARTICLE, 1, {
    documentId: 'a',
    locale: 'en',
    ...times,
    ...shared,
    title: 'Lock',
    body,
    seo: seo(1),
  }),
  entity(ARTICLE, 2, {
    documentId: 'a',
    locale: 'en',
    ...published,
    ...shared,
    title: 'Lock',
    body,
    seo: seo(2),
    sections: sections(4),
  }),
  entity(ARTICLE, 3, {
    documentId: 'a',
    locale: 'de',
    ...times,
    ...shared,
    title: 'Schleuse',
    seo: seo(3),
    sections: [{ id: 9, __component: 'sections.quote', words: 'Z' }],
  }),
  entity(ARTICLE, 4, {
    documentId: 'b',
    locale: 'en',
    createdAt: times.createdAt,
    updatedAt: '2021-01-01T00:00:00.000Z',
    slug: 'lock',
    title: 'Changed',
    seo: seo(5),
  }),
  entity(ARTICLE, 5, {
    documentId: 'b',
    locale: 'en',
    ...published,
    slug: 'lock',
    title: 'Gate',
    seo: seo(4),
  }),
  entity(ARTICLE, 6, { documentId: 'c', locale: 'en', ...times, title: 'Draft', seo: seo(6) }),
  entity(TAG, 1, { documentId: 't', ...published, name: 'Water' }),
  entity(TAG, 2, { documentId: 'u', ...published, name: 'Air' }),
  entity('api::home.home', 1, { documentId: 'h', ...published, title: 'Home' }),
  entity('api::lost.lost', 1, {}),
];

export const strapiLink = (
  left: readonly [string, number, string, number?],
  right: readonly [string, number, string?, number?],
) => ({
  kind: 'relation.basic',
  left: { type: left[0], ref: left[1], field: left[2], pos: left[3] },
  right: { type: right[0], ref: right[1], field: right[2], pos: right[3] },
});
const used = (id: number, ...right: readonly [string, number, string, number?]) =>
  strapiLink(['plugin::upload.file', id, 'related'], right);

/** Files name what they are used in; other links are at the row that has the field, in any order. */
const links = [
  strapiLink([ARTICLE, 2, 'tags', 2], [TAG, 1]),
  strapiLink([ARTICLE, 2, 'tags', 1], [TAG, 2]),
  strapiLink([ARTICLE, 2, 'related', 1], [ARTICLE, 5]),
  strapiLink([ARTICLE, 2, 'related', 2], [ARTICLE, 4]),
  strapiLink([ARTICLE, 2, 'related', 3], [ARTICLE, 99]),
  strapiLink([ARTICLE, 5, 'related', 1], [ARTICLE, 2]),
  strapiLink(['shared.link', 21, 'target'], [ARTICLE, 6]),
  used(7, ARTICLE, 2, 'cover', 1),
  used(7, ARTICLE, 2, 'shots', 2),
  used(8, ARTICLE, 2, 'shots', 1),
  used(7, 'sections.hero', 4, 'picture', 1),
];

const configuration = [
  { type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'en' } },
  {
    type: 'core-store',
    value: {
      key: `plugin_content_manager_configuration_content_types::${TAG}`,
      value: { settings: { mainField: 'name' } },
    },
  },
  { type: 'webhook', value: { name: 'deploy', url: 'https://example.com/hook' } },
];

const lines = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

export const strapiFiles: Readonly<Record<string, string>> = {
  'schemas/schemas_00001.jsonl': lines(schemas),
  // Large parts are in several files.
  'entities/entities_00001.jsonl': lines(entities.slice(0, 9)),
  'entities/entities_00002.jsonl': `${lines(entities.slice(9))}{"type"`,
  'links/links_00001.jsonl': `${lines(links)}{"left":1}\n`,
  'configuration/configuration_00001.jsonl': lines(configuration),
  'assets/uploads/lock_1a.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'metadata.json': JSON.stringify({ strapi: { version: '5.20.0' } }),
};

/** The same of one part. */
export const strapiPart = (part: string, values: readonly object[]): Readonly<Record<string, string>> => ({
  [`${part}/${part}_00001.jsonl`]: lines(values),
});

/** As `strapi export` writes it. */
export async function strapiArchive(
  files: Readonly<Record<string, string>> = strapiFiles,
): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, content]): TarEntry => ({
    header: { name, size: Buffer.byteLength(content), type: 'file' },
    body: content,
  }));
  return packTar(entries);
}

/** The same as files below a folder. */
export async function strapiFolder(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(strapiFiles)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
