import { z } from 'zod';
import { limits } from '../../../../contracts/limits.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import type { ContentfulField, ContentfulType } from './contentful-types.js';
import { ContentfulValues, type LinkTargets } from './contentful-values.js';
import {
  EntryLink,
  type Losses,
  type SourceEntry,
  type SourceLocale,
  type SourceType,
  type SourceVersion,
} from './export-source.js';

/** Of a link to a user or tag, which may be missing. */
const linkId = z
  .object({ sys: z.object({ id: z.string().max(200) }) })
  .transform(({ sys }) => sys.id)
  .optional()
  .catch(undefined);

export const Sys = z.object({
  id: z.string().min(1).max(limits.externalIdLength),
  createdAt: z.string().optional().catch(undefined),
  updatedAt: z.string().optional().catch(undefined),
  publishedAt: z.string().optional().catch(undefined),
  version: z.number().optional().catch(undefined),
  publishedVersion: z.number().optional().catch(undefined),
  archivedVersion: z.number().optional().catch(undefined),
  createdBy: linkId,
});

/** Values by locale. */
export const Localized = z.record(z.string(), z.unknown());
export const metadata = z
  .object({ tags: z.array(linkId).default([]) })
  .default({ tags: [] })
  .catch({ tags: [] });

export const Entry = z.object({
  sys: Sys.extend({
    contentType: z.object({ sys: z.object({ id: z.string() }) }).transform(({ sys }) => sys.id),
  }),
  metadata,
  fields: z.record(z.string(), Localized.catch({})).default({}),
});
export type Entry = z.infer<typeof Entry>;

export const Tag = z.object({
  sys: z.object({ id: z.string().min(1).max(limits.externalIdLength) }),
  name: z.string(),
});
export type Tag = z.infer<typeof Tag>;

/** No id of a field of a space. */
const TAGS = '(tags)';

export interface EntryContext {
  readonly locales: readonly SourceLocale[];
  readonly targets: LinkTargets;
  readonly fields: ReadonlyMap<string, readonly ContentfulField[]>;
  /** Ids of tags. */
  readonly known: ReadonlySet<string>;
  readonly tagType: string | undefined;
}

/** An entry without its values, which are read again when they are written. */
export interface EntryHead {
  readonly sys: Entry['sys'];
  readonly tags: readonly (string | undefined)[];
  /** Names of fields that the content type lacks. */
  readonly unknown: readonly string[];
  read(): Entry['fields'];
}

/** Reads entries of an export. */
export class ContentfulEntries {
  constructor(
    private readonly context: EntryContext,
    private readonly losses: Losses,
  ) {}

  read(entry: EntryHead): SourceEntry {
    const { sys } = entry;
    const where = `entry ${sys.id}`;
    for (const name of entry.unknown)
      this.losses.add('entry', `${where} / ${name.slice(0, 100)}`, [
        'the value',
        'Its content type has no such field.',
        'Export the content model, too.',
      ]);
    const tags = this.#tagLinks(entry.tags);
    const versions = (): SourceVersion[] => this.#versions(entry, { where, tags });
    return {
      type: sys.contentType,
      id: sys.id,
      where,
      isPublished: this.#isPublished(sys, where),
      facts: { createdAt: sys.createdAt, updatedAt: sys.updatedAt, publishedAt: sys.publishedAt },
      author: sys.createdBy,
      get versions() {
        return versions();
      },
    };
  }

  #tagLinks(tags: readonly (string | undefined)[]): EntryLink[] {
    const { known, tagType } = this.context;
    if (tagType === undefined) return [];
    return tags.flatMap((tag) => (tag === undefined || !known.has(tag) ? [] : [new EntryLink(tagType, tag)]));
  }

  /** In the default locale, and in those with values of localized fields. */
  #versions(
    { sys, read: readValues }: EntryHead,
    { where, tags }: { where: string; tags: readonly EntryLink[] },
  ): SourceVersion[] {
    const values = readValues();
    const fields = this.context.fields.get(sys.contentType) ?? [];
    const versions: SourceVersion[] = [];
    for (const { code } of this.context.locales) {
      const [first] = versions;
      const own = fields.filter(
        ({ id, localized }) => first === undefined || (localized && values[id]?.[code] !== undefined),
      );
      if (own.length === 0 && first !== undefined) continue;
      const read = new Map<string, unknown>();
      for (const field of own) {
        const place = `${where} / ${code} / ${field.id}`;
        const value = this.#value(field, values[field.id]?.[code], place);
        if (value !== undefined) read.set(field.id, value);
      }
      const slug = EntrySlug.safeParse(read.get('slug') ?? first?.slug).data;
      if (first === undefined && tags.length > 0) read.set(TAGS, tags);
      versions.push({ locale: code, slug, fields: read });
    }
    return versions;
  }

  #value(field: ContentfulField, value: unknown, where: string): unknown {
    const lose = (what: string, why: string, remedy: string): void => {
      this.losses.add('entry', where, [what, why, remedy]);
    };
    return new ContentfulValues(this.context.targets, lose).read(field.type, value);
  }

  /** The export has the newest draft alone. */
  #isPublished({ version = 0, publishedVersion, archivedVersion }: Entry['sys'], where: string): boolean {
    const lose = (what: string, why: string): void => {
      this.losses.add('entry', where, [what, why, 'Publish the entry after the import.']);
    };
    if (archivedVersion !== undefined) lose('archived', 'There is no archive. It is a draft.');
    else if (publishedVersion !== undefined && version > publishedVersion + 1)
      lose('the published version', 'The export has the changed draft alone, which is not published.');
    else return publishedVersion !== undefined;
    return false;
  }
}

/** The content type of tags; its id is none of the space. */
export const tagTypeOf = (apiName: string, types: readonly ContentfulType[]): SourceType => ({
  id: types.some(({ sys }) => sys.id === 'tag') ? 'tag (of the space)' : 'tag',
  apiName,
  name: 'Tag',
  description: '',
  displayField: 'name',
  isPage: false,
  isLocalized: false,
  fields: [{ id: 'name', apiName: 'name', name: 'Name', type: 'text', required: true, localized: false }],
});

export function withTags(type: SourceType, tagType: string): SourceType {
  const taken = new Set(type.fields.map(({ apiName }) => apiName));
  const apiName =
    ['tags', 'entryTags', 'contentfulTags'].find((name) => !taken.has(name)) ?? 'tagsOfTheSpace';
  const settings = { contentTypes: [tagType] };
  const field = { id: TAGS, apiName, name: 'Tags', type: 'reference', isList: true, settings } as const;
  return { ...type, fields: [...type.fields, { ...field, required: false, localized: false }] };
}

export const tagEntry = (
  { sys, name }: Tag,
  { type, locales }: { type: string; locales: readonly SourceLocale[] },
): SourceEntry => ({
  type,
  id: sys.id,
  where: `tag ${sys.id}`,
  isPublished: true,
  facts: {},
  author: undefined,
  versions: locales
    .slice(0, 1)
    .map(({ code }) => ({ locale: code, slug: undefined, fields: new Map([['name', name]]) })),
});
