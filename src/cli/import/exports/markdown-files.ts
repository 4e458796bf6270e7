import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import { limits } from '../../../../contracts/limits.js';
import { LocaleCode } from '../../../../contracts/primitives.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { readFailure } from '../read-lines.js';
import {
  ApiNames,
  sourceField as field,
  type Losses,
  type SourceField,
  type SourceType,
} from './export-source.js';
import { ColumnTally, isLanguage } from './table-columns.js';

const MAXIMUM_FILES = 100_000;
const MAXIMUM_BYTES = 2 * 1024 * 1024;

type Values = Readonly<Record<string, unknown>>;

/** A Markdown file. */
export interface MarkdownFile {
  /** Below the folder of the site, with `/`. */
  readonly path: string;
  /** Without locale, extension and the folder of the content; that of an index is its folder. */
  readonly key: string;
  readonly isIndex: boolean;
  readonly locale: string;
  /** The first folder, without the mark of Jekyll. Empty at the root. */
  readonly section: string;
  /** In the name of a post of Jekyll. */
  readonly day: string | undefined;
  /** In the folder `_drafts`. */
  readonly isDraft: boolean;
  readonly values: Values;
  readonly body: string;
}

export interface MarkdownFolder {
  /** Without links. */
  readonly root: string;
  readonly locale: string;
  readonly files: readonly MarkdownFile[];
}

/** @throws Error with one line for people */
function parseValues(text: string, form: 'yaml' | 'toml' | 'json'): Values {
  let value: unknown;
  if (form === 'toml') value = parseToml(text);
  else if (form === 'json') value = JSON.parse(text);
  else {
    const document = parseDocument(text, { merge: false });
    const [problem] = document.errors;
    if (problem !== undefined) throw new Error(problem.message.split('\n')[0] ?? '');
    value = document.toJS({ maxAliasCount: 100 });
  }
  // Dates of TOML are objects.
  const plain: unknown = JSON.parse(JSON.stringify(value ?? {}));
  if (!isObject(plain)) throw new Error('It is not a map.');
  return plain;
}

/** Front matter as Hugo, Astro and Jekyll write it, and the text after it. */
export function readFrontMatter(text: string): { values: Values; body: string } {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  for (const [fence, form] of [
    ['---', 'yaml'],
    ['+++', 'toml'],
  ] as const) {
    if (!source.startsWith(`${fence}\n`)) continue;
    const end = source.indexOf(`\n${fence}`, fence.length);
    if (end < 0) throw new Error(`The front matter has no ${fence} at its end.`);
    return {
      values: parseValues(source.slice(fence.length, end), form),
      body: source.slice(end + fence.length + 1).replace(/^[^\n]*\n?/, ''),
    };
  }
  const end = source.indexOf('\n}\n');
  if (!source.startsWith('{\n') || end < 0) return { values: {}, body: source };
  return { values: parseValues(source.slice(0, end + 2), 'json'), body: source.slice(end + 3) };
}

/** The default language that the settings of the site name. */
async function localeOf(root: string): Promise<string> {
  const names = ['hugo', 'config', '_config'].flatMap((name) =>
    (['toml', 'yaml', 'yml', 'json'] as const).map((extension) => ({
      file: `${name}.${extension}`,
      extension,
    })),
  );
  for (const { file, extension } of names) {
    const text = await readFile(path.join(root, file), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    try {
      const values = parseValues(text, extension === 'yml' ? 'yaml' : extension);
      const found = [values.defaultContentLanguage, values.languageCode, values.lang, values.locale];
      const code = found.find((one) => typeof one === 'string');
      if (code !== undefined) return LocaleCode.parse(code.replace('_', '-'));
    } catch {
      // Settings that cannot be read name no language.
    }
  }
  return 'en';
}

interface Place {
  readonly base: string;
  readonly locale: string;
}

/** What the path of a file says. */
function placeOf(name: string, { base, locale }: Place): Omit<MarkdownFile, 'values' | 'body'> {
  const below = base === '' ? name : name.slice(base.length + 1);
  let folders = below.split('/');
  let stem = (folders.pop() ?? '').replace(/\.(?:md|mdx|markdown)$/i, '');
  let own = locale;
  const [, before = '', suffix = ''] = /^(.+)\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/.exec(stem) ?? [];
  if (isLanguage(suffix)) [stem, own] = [before, suffix.replace('_', '-')];
  else if (isLanguage(folders[0] ?? ''))
    [own, folders] = [(folders[0] ?? '').replace('_', '-'), folders.slice(1)];
  const isDraft = folders.includes('_drafts');
  const isPost = isDraft || folders.includes('_posts');
  const [, day, rest = stem] = isPost ? (/^(\d{4}-\d\d-\d\d)-(.+)$/.exec(stem) ?? []) : [];
  const isIndex = ['index', '_index'].includes(stem);
  return {
    path: name,
    key: isIndex ? folders.join('/') : [...folders, day === undefined ? stem : `${day}-${rest}`].join('/'),
    isIndex,
    locale: own,
    section: isPost ? 'post' : (folders[0] ?? '').replace(/^_/, ''),
    day,
    isDraft,
  };
}

/** The Markdown files of a site, in the order of their paths. Links are not followed. @throws Error in one line for people */
export async function readMarkdownFolder(folder: string, losses: Losses): Promise<MarkdownFolder> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'it is no folder' : readFailure(error);
    throw new Error(`The folder ${folder} cannot be read: ${reason}.`, { cause: error });
  });
  const root = await realpath(folder);
  const names = found
    .filter((entry) => entry.isFile() && /\.(?:md|mdx|markdown)$/i.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !/(?:^|\/)(?:\.[^/]*|node_modules|_site|public|themes)\//.test(name))
    .filter((name) => !/^(?:readme|license|changelog|contributing)\.md$/i.test(name))
    .sort();
  if (names.length === 0) throw new Error(`The folder ${folder} has no Markdown files.`);
  if (names.length > MAXIMUM_FILES)
    throw new Error(`The folder ${folder} has more than 100,000 Markdown files.`);
  const base =
    ['src/content', 'content'].find((one) => names.some((name) => name.startsWith(`${one}/`))) ?? '';
  const locale = await localeOf(root);
  const files: MarkdownFile[] = [];
  for (const name of names.filter((one) => base === '' || one.startsWith(`${base}/`))) {
    try {
      const { size } = await stat(path.join(root, name));
      if (size > MAXIMUM_BYTES) throw new Error('It has more than 2 MB.');
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path.join(root, name)));
      files.push({ ...placeOf(name, { base, locale }), ...readFrontMatter(text) });
    } catch (error) {
      const why =
        error instanceof TypeError ? 'It is not UTF-8.' : ((error as Error).message.split('\n')[0] ?? '');
      losses.add('entry', name, ['the file', why, 'Correct the file, and import again.']);
    }
  }
  return { root, locale, files };
}

/** Front matter that is no field. */
export const markdownFacts: ReadonlySet<string> = new Set(
  [
    'title',
    'slug',
    'draft',
    'published',
    'lastmod',
    'updated',
    'author',
    'tags',
    'categories',
    'category',
  ].concat(['aliases', 'redirect_from', 'url', 'permalink', 'layout']),
);

export const taxonomies = [
  ['tag', 'tags', ['tags']],
  ['category', 'categories', ['categories', 'category']],
] as const;

export const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []).flatMap(
    (one: unknown) =>
      typeof one === 'string' || typeof one === 'number'
        ? [String(one).trim()].filter((text) => text !== '')
        : [],
  );

/** As in addresses of Hugo and Jekyll. */
export const urlName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/?#%\\]+/g, '-');

/** Where the generator of the site puts it by default. */
export function addressOf({ key, day, values, section }: MarkdownFile): string {
  for (const given of [values.url, values.permalink])
    if (typeof given === 'string' && given.startsWith('/') && !given.includes(':')) return given;
  const slug = typeof values.slug === 'string' ? values.slug : undefined;
  if (section === 'post' && day !== undefined) {
    const name = slug ?? path.posix.basename(key).slice(day.length + 1);
    const categories = [...listOf(values.categories), ...listOf(values.category)].map(urlName);
    return `/${[...categories, ...day.split('-'), `${name}.html`].join('/')}`;
  }
  const folders = key.split('/').map(urlName);
  if (slug !== undefined) folders[folders.length - 1] = slug;
  return key === '' ? '/' : `/${folders.join('/')}/`;
}

/** Types of the sections and taxonomies, with fields as their front matter has them. */
export function markdownTypes(
  files: readonly MarkdownFile[],
  typeOfFile: (file: MarkdownFile) => string,
  localized: boolean,
): Map<string, SourceType> {
  const names = new ApiNames('type');
  const types = new Map<string, SourceType>();
  const used = (given: readonly string[]): boolean =>
    files.some(({ values }) => given.some((name) => listOf(values[name]).length > 0));
  const kept = taxonomies.filter(([, , given]) => used(given));
  const typeOf = (id: string, fields: readonly SourceField[], isPage: boolean): SourceType => ({
    id,
    apiName: names.nameFor(id),
    name: id,
    description: '',
    displayField: fields[0]?.id ?? null,
    isPage,
    isLocalized: isPage && localized,
    fields,
  });
  for (const [id] of kept)
    types.set(`(${id})`, {
      ...typeOf(id, [field('name', 'text', { required: true })], false),
      id: `(${id})`,
    });
  const sections = Map.groupBy(files, typeOfFile);
  for (const [id, own] of sections) {
    const fieldNames = new ApiNames('field');
    const shared = [
      field('title', 'text', { localized }),
      field('body', 'richText', { localized }),
      ...kept.map(([term, name]) =>
        field(name, 'reference', { localized, isList: true, settings: { contentTypes: [`(${term})`] } }),
      ),
    ].map((one) => ({ ...one, apiName: fieldNames.nameFor(one.apiName) }));
    types.set(id, typeOf(id, [...shared, ...guessFields(own, { fieldNames, localized })], true));
  }
  return types;
}

function guessFields(
  files: readonly MarkdownFile[],
  { fieldNames, localized }: { fieldNames: ApiNames; localized: boolean },
): SourceField[] {
  const tallies = new Map<string, ColumnTally>();
  for (const { values } of files)
    for (const [name, value] of Object.entries(values)) {
      if (markdownFacts.has(name)) continue;
      const tally = tallies.get(name) ?? new ColumnTally(name);
      tallies.set(name, tally);
      tally.add(value);
    }
  return [...tallies.values()].slice(0, limits.fieldsPerContentType - 5).map((tally) => {
    const { kind, separator } = tally.guess(() => false, '');
    // Words of front matter are as open as any text.
    const type = kind === 'select' || kind === 'reference' ? 'text' : kind;
    const isList = separator === ',' && type !== 'json';
    return field(tally.name, type, { apiName: fieldNames.nameFor(tally.name), localized, isList });
  });
}
