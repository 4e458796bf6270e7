import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { canonicalJson, isEqualJson } from '../../content/exact-json/canonical-json.js';
import { isObject } from '../../content/exact-json/is-object.js';
import type { ExportConsole } from './export-command.js';
import { keyOf, lineFiles, rewrite, type LineFile, type LineOf } from './export-format.js';
import { ExportReader } from './read-export.js';

export const diffUsage = 'headwater diff <folder>|<file>.tar.gz <folder>|<file>.tar.gz';

export const diffHelp = `Usage: ${diffUsage}

Compares two exports of headwater export, and needs no service. A line with + names what only the second has, one with -
what only the first has, and one with ~ what differs, with the paths of the values. Ids are compared by what they mean,
so an export can be compared with that of the project into which it was imported. History is not compared.

Exits with 2 where they differ.
`;

/** Characters of a hash that stands for a thing in memory. */
const HASH_LENGTH = 20;
/** Paths that a line names of what differs. */
const SHOWN_PATHS = 20;

const comparedFiles = lineFiles.filter((file) => file !== 'history.jsonl');

/** A line by what it stands for in every export. */
interface Thing {
  readonly name: string;
  /** For people, after the kind. */
  readonly label: string;
  readonly content: Readonly<Record<string, unknown>>;
}

type Line = LineOf<Exclude<LineFile, 'history.jsonl'>>;

const without = (line: object, ...keys: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(line).filter(([key]) => !keys.includes(key)));

const slugOf = ({ locales }: LineOf<'entries.jsonl'>): string =>
  Object.values(locales).map(({ slug }) => slug)[0] ?? '';

/** Ids of an export by what they stand for: the same in an export of the project into which it was imported. */
class Names {
  readonly #names = new Map<string, string>();
  /** Paths of nodes for people, and slugs of entries. */
  readonly #labels = new Map<string, string>();

  private constructor(private readonly reader: ExportReader) {}

  static async of(reader: ExportReader): Promise<Names> {
    const names = new Names(reader);
    await names.#read();
    return names;
  }

  async #read(): Promise<void> {
    for await (const { value } of this.reader.lines('settings.jsonl')) {
      if (value.kind === 'site') this.#names.set(value.id, `site ${value.slug}`);
      if (value.kind === 'folder')
        this.#names.set(value.id, `${this.#parent(value.parentId, 'folder')}/${value.name}`);
    }
    for await (const { value } of this.reader.lines('assets.jsonl'))
      this.#names.set(value.id, `asset ${keyOf(value)}`);
    for await (const { value } of this.reader.lines('entries.jsonl')) {
      this.#names.set(value.id, `entry ${value.type} ${keyOf(value)}`);
      this.#labels.set(value.id, slugOf(value));
    }
    const places = new Map<string, number>();
    for await (const { value } of this.reader.lines('tree.jsonl')) {
      const { siteId, parentId, entryId, slug, name } = value;
      const parent = this.#parent(parentId, `node of ${siteId === null ? 'all sites' : this.of(siteId)}:`);
      const place = `${parent}/${entryId === null ? (slug ?? name) : this.of(entryId)}`;
      // Links can have equal names.
      const count = (places.get(place) ?? 0) + 1;
      places.set(place, count);
      this.#names.set(value.id, count === 1 ? place : `${place} (${String(count)})`);
      const last = (entryId === null ? undefined : this.#labels.get(entryId)) ?? slug ?? name;
      this.#labels.set(value.id, `${parentId === null ? '' : (this.#labels.get(parentId) ?? '')}/${last}`);
    }
  }

  #parent(id: string | null, root: string): string {
    return id === null ? root : this.of(id);
  }

  of(text: string): string {
    return this.#names.get(text) ?? text;
  }

  labelOf(id: string): string {
    return this.#labels.get(id) ?? id;
  }
}

/** Numbers of versions differ where the history was not imported. */
function contentOf(line: LineOf<'entries.jsonl'>): object {
  const locales = Object.entries(line.locales).map(([locale, { published, ...state }]) => [
    locale,
    { ...without(state, 'publishedVersion'), ...(published && { published: without(published, 'version') }) },
  ]);
  return { ...without(line, 'id', 'externalId', 'version'), locales: Object.fromEntries(locales) as object };
}

/** Names what a line stands for. Its ids are in its name. */
function thingOf(line: Line, names: Names): Thing {
  const named = (name: string, content: object, label = name): Thing => ({
    name,
    label,
    content: rewrite(content, (text) => names.of(text)) as Thing['content'],
  });
  if ('kind' in line)
    switch (line.kind) {
      case 'project':
        return named('project', without(line, 'slug'));
      case 'locale':
        return named(`locale ${line.code}`, line);
      case 'site':
      case 'folder':
        return named(names.of(line.id), without(line, 'id'));
      case 'schema':
      case 'search':
        return named(line.kind === 'schema' ? 'schema' : 'settings of search', line);
      case 'view':
        return named(`view ${line.view.name} of ${line.view.resource}`, line.view);
      case 'webhook':
        return named(`webhook ${line.webhook.name} (${line.webhook.url})`, line.webhook);
    }
  if ('checksum' in line)
    return named(names.of(line.id), without(line, 'id', 'externalId'), `asset ${line.fileName}`);
  if ('createdAt' in line)
    return named(names.of(line.id), contentOf(line), `entry ${line.type} ${slugOf(line)}`);
  if ('hideInMenu' in line) {
    // The name of a page is a title of its entry.
    const content = without(line, 'id', 'parentId', 'siteId', ...(line.entryId === null ? [] : ['name']));
    const tree = line.siteId === null ? 'the global tree' : names.of(line.siteId);
    return named(names.of(line.id), content, `node ${names.labelOf(line.id)} of ${tree}`);
  }
  const { siteId, source, locale, matchType } = line;
  return named(
    `redirect ${matchType} ${source}${locale === null ? '' : ` (${locale})`} of ${names.of(siteId)}`,
    without(line, 'siteId'),
  );
}

/** The things of an export; what has the name of an earlier one is counted. */
async function* things(reader: ExportReader, names: Names): AsyncGenerator<Thing> {
  const counts = new Map<string, number>();
  for (const file of comparedFiles)
    for await (const { value } of reader.lines(file)) {
      const thing = thingOf(value, names);
      const count = (counts.get(thing.name) ?? 0) + 1;
      counts.set(thing.name, count);
      yield count === 1 ? thing : { ...thing, name: `${thing.name} (${String(count)})` };
    }
}

const hashOf = ({ content }: Thing): string =>
  createHash('sha256').update(canonicalJson(content)).digest('base64url').slice(0, HASH_LENGTH);

/** Paths of the values that differ. A list is one value. */
function* pathsOf(one: unknown, other: unknown, at: readonly string[] = []): Generator<string> {
  if (isEqualJson(one, other)) return;
  if (!isObject(one) || !isObject(other)) {
    yield at.join('.');
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
    yield* pathsOf(one[key], other[key], [...at, key]);
}

const shown = (paths: readonly string[]): string => {
  const more = paths.length - SHOWN_PATHS;
  return `${paths.slice(0, SHOWN_PATHS).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
};

interface Side {
  readonly reader: ExportReader;
  readonly names: Names;
}

/** Lines for people, one for each difference. In memory are hashes of the first, and what differs. */
async function* differences(first: Side, second: Side): AsyncGenerator<string> {
  const hashes = new Map<string, string>();
  for await (const thing of things(first.reader, first.names)) hashes.set(thing.name, hashOf(thing));
  const changed = new Map<string, Thing>();
  const present = new Set<string>();
  for await (const thing of things(second.reader, second.names)) {
    const { name, label } = thing;
    present.add(name);
    const known = hashes.get(name);
    if (known === undefined) yield `+ ${label}`;
    else if (known !== hashOf(thing)) changed.set(name, thing);
  }
  for await (const { name, label, content } of things(first.reader, first.names)) {
    const now = changed.get(name);
    if (now !== undefined) yield `~ ${label}: ${shown([...pathsOf(content, now.content)])}`;
    else if (!present.has(name)) yield `- ${label}`;
  }
}

/**
 * Compares two exports.
 * @returns the exit code
 * @throws Error with one line for people
 */
export async function runDiffCommand(args: readonly string[], console: ExportConsole): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [one, other, ...rest] = positionals;
  if (one === undefined || other === undefined || rest.length > 0)
    throw new Error(`Name two exports. Usage: ${diffUsage}`);
  const open = (place: string) => ExportReader.open(path.resolve(console.directory, place));
  const first = await open(one);
  try {
    const second = await open(other);
    try {
      let count = 0;
      const sides = [first, second].map(async (reader) => ({ reader, names: await Names.of(reader) }));
      const [before, after] = (await Promise.all(sides)) as [Side, Side];
      for await (const line of differences(before, after)) {
        console.print(`${line}\n`);
        count += 1;
      }
      console.print(['No differences.\n', '1 difference.\n'][count] ?? `${String(count)} differences.\n`);
      return count === 0 ? 0 : 2;
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}
