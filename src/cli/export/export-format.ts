import { z } from 'zod';
import { EntrySnapshot } from '../../../contracts/entries/entries/entry-version.js';
import { limits } from '../../../contracts/limits.js';

/** The format is described in README.md beside this file. */
export const FORMAT = 'headwater-export';
export const FORMAT_VERSION = 1;

/** Levels of a value. */
export const DEEPEST = 200;
/** Lines that a mark in the manifest covers, so that a changed line is found. */
export const LINES_PER_MARK = 100;
/** Bytes. An entry is written in requests of at most 1 MiB, in each of its locales. */
export const LONGEST_LINE = 64 * limits.requestBodyBytes;

export const lineFiles = [
  'settings.jsonl',
  'assets.jsonl',
  'entries.jsonl',
  'history.jsonl',
  'tree.jsonl',
  'redirects.jsonl',
] as const;
export type LineFile = (typeof lineFiles)[number];

/** The only names of files in an export. */
export const isNameOfFile = (name: string): boolean =>
  (lineFiles as readonly string[]).includes(name) || /^media\/[0-9a-f]{64}$/.test(name);

const text = z.string();
const nullable = text.nullable();
const texts = z.array(text);
const anything = z.record(text, z.unknown());
const sha256 = text.regex(/^[0-9a-f]{64}$/);

/** Only one version can be read. The rest of the manifest of a newer one may differ. */
export const Version = z.object({ format: z.literal(FORMAT), version: z.int().min(1) });

const FileEntry = z.strictObject({
  file: text.refine(isNameOfFile, 'is not a name of a file of an export'),
  bytes: z.int().min(0),
  sha256,
  /** Of files of lines. */
  lines: z.int().min(0).optional(),
  marks: z.array(text.regex(/^[0-9a-f]{16}$/)).optional(),
});
export type FileEntry = z.infer<typeof FileEntry>;

export const Manifest = z.strictObject({
  ...Version.shape,
  createdAt: text,
  project: text,
  /** What a partial export is limited to. */
  only: z.strictObject({ types: texts, sites: texts, locales: texts }),
  hasHistory: z.boolean(),
  files: z.array(FileEntry),
});
export type Manifest = z.infer<typeof Manifest>;

const site = z.object({
  kind: z.literal('site'),
  id: text,
  slug: text,
  name: text,
  description: nullable,
  domain: nullable,
  baseUrl: nullable,
  defaultLocale: text,
  locales: texts,
  localePathStrategy: z.enum(['prefix', 'none']),
  previewUrlTemplate: nullable,
  allowedTargets: texts.nullable(),
  requiredLocales: texts,
  homeEntryId: nullable,
  isActive: z.boolean(),
});

const SettingLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), slug: text, name: text }),
  z.object({
    kind: z.literal('locale'),
    code: text,
    name: text,
    isDefault: z.boolean(),
    fallbackCode: nullable,
    isActive: z.boolean(),
  }),
  site,
  z.object({ kind: z.literal('schema'), schema: anything }),
  z.object({ kind: z.literal('search'), settings: anything }),
  z.object({ kind: z.literal('folder'), id: text, name: text, parentId: nullable }),
  z.object({ kind: z.literal('view'), view: anything.and(z.object({ name: text, resource: text })) }),
  z.object({ kind: z.literal('webhook'), webhook: anything.and(z.object({ name: text, url: text })) }),
]);
export type SettingLine = z.infer<typeof SettingLine>;
export type SettingOf<K extends SettingLine['kind']> = Extract<SettingLine, { kind: K }>;

const AssetLine = z.object({
  id: text,
  /** Id in the export that it was imported from. */
  externalId: nullable,
  fileName: text,
  /** SHA-256 and name of the file in the folder `media`. */
  checksum: sha256,
  folderId: nullable,
  tags: texts,
  siteIds: texts,
  focalPoint: z.object({ x: z.number(), y: z.number() }).nullable(),
  visibility: z.enum(['public', 'private']),
  locales: z.record(text, z.object({ altText: nullable, title: nullable, description: nullable })),
});
export type AssetLine = z.infer<typeof AssetLine>;

const Content = z.object({ slug: text, fields: anything });

const EntryLocale = Content.extend({
  status: z.enum(['draft', 'published', 'changed']),
  publishedAt: nullable,
  /** Absent in older exports, whose history cannot be imported. */
  publishedVersion: z.int().nullable().optional(),
  /** State in the workflow. */
  state: nullable,
  /** What readers see of a changed draft. */
  published: Content.extend({ version: z.int() }).optional(),
  schedules: z
    .array(z.object({ kind: z.enum(['publish', 'unpublish']), scheduledAt: text, timezone: text }))
    .optional(),
});
export type EntryLocale = z.infer<typeof EntryLocale>;

const EntryLine = z.object({
  id: text,
  externalId: nullable,
  type: text,
  siteId: text,
  version: z.int().optional(),
  createdAt: text,
  createdBy: text,
  isAssigned: z.boolean(),
  locales: z.record(text, EntryLocale).refine((all) => Object.keys(all).length > 0, 'has no locale'),
});
export type EntryLine = z.infer<typeof EntryLine>;

const TreeLine = z.object({
  id: text,
  /** Null in the global tree. */
  siteId: nullable,
  parentId: nullable,
  type: z.enum(['page', 'folder', 'link']),
  entryId: nullable,
  name: text,
  slug: nullable,
  url: nullable,
  hideInMenu: z.boolean(),
});
export type TreeLine = z.infer<typeof TreeLine>;

const RedirectLine = z.object({
  siteId: text,
  source: text,
  target: nullable,
  status: z.literal([301, 302, 307, 308, 410]),
  matchType: z.enum(['exact', 'prefix', 'regex']),
  queryMatch: z.enum(['ignore', 'exact', 'pass']),
  locale: nullable,
  isActive: z.boolean(),
  note: nullable,
});
export type RedirectLine = z.infer<typeof RedirectLine>;

const HistoryLine = z.object({ entryId: text, version: z.int(), content: EntrySnapshot });

export const lineShapes = {
  'settings.jsonl': SettingLine,
  'assets.jsonl': AssetLine,
  'entries.jsonl': EntryLine,
  'history.jsonl': HistoryLine,
  'tree.jsonl': TreeLine,
  'redirects.jsonl': RedirectLine,
} as const;
export type LineOf<F extends LineFile> = z.infer<(typeof lineShapes)[F]>;

/** The part of a tag by which an imported asset is found again that comes before its id. */
export const ASSET_TAG = 'headwater:';

/** The external id, by which what was imported is found again; its own id without one. */
export const keyOf = ({ id, externalId }: Pick<EntryLine, 'id' | 'externalId'>): string => externalId ?? id;

/**
 * A value whose strings are replaced, wherever they are in it.
 * @throws Error if it has too many levels
 */
export function rewrite(value: unknown, replace: (text: string) => string, level = 0): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level > DEEPEST) throw new Error(`a value has more than ${String(DEEPEST)} levels`);
  if (Array.isArray(value)) return value.map((item) => rewrite(item, replace, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, rewrite(part, replace, level + 1)]),
  );
}
