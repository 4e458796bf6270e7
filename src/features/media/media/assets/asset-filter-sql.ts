import type { WorkScope } from '../../../../persistence/work/unit-of-work.js';
import type { Bind } from '../../../shared/readable-entries.js';
import { readableAssets } from '../asset-rights.js';

/** Null filters match all. */
export interface AssetFilter {
  readonly folderId: string | null;
  /** A media type or the beginning of one. */
  readonly mimeType: string | null;
  readonly tags: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  /** A locale. */
  readonly missingAltText: string | null;
  readonly ids: readonly string[] | null;
  readonly sourceChecksums: readonly string[] | null;
  readonly isUnused: boolean | null;
  readonly contains: string | null;
}

type Sql = (value: Bind) => string;

export interface Term {
  readonly filter: keyof AssetFilter | 'readable';
  /** Condition on assets `a`. */
  readonly asset: Sql;
  /** The same on `media_counts c`. */
  readonly count?: Sql;
  /** The same on `media_set_counts c`. */
  readonly set?: Sql;
}

/** The sets of sites or of locales that a filter matches. The leakproof `=` on them can use an index. */
export const matchingSets = (key: 'site_set' | 'alt_set', condition: string): string =>
  `SELECT DISTINCT c.${key} FROM media_set_counts c WHERE c.environment_id = $1 AND c.assets > 0 AND ${condition}`;

export const namesSite =
  (siteIds: readonly string[]): Sql =>
  (value) =>
    `c.site_ids && ${value(siteIds)}::uuid[]`;

export const lacksText =
  (locale: string): Sql =>
  (value) =>
    `c.mime_family = 'image' AND NOT c.alt_locales @> ARRAY[${value(locale)}::text]`;

const holdsTag = (tags: readonly string[], value: Bind): string =>
  tags.length === 1 ? `t.tag = ${value(tags[0])}` : `t.tag = ANY(${value(tags)}::text[])`;

/** Whether file name or a title of `a` contains a string; `media_search` only has candidates. */
const containsText =
  (text: string): Sql =>
  (value) => {
    const given = `lower(${value(text)}::text)`;
    return `(strpos(lower(a.file_name), ${given}) > 0 OR EXISTS (SELECT FROM media_asset_locales l
      WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND strpos(lower(normalize(l.title)), ${given}) > 0))`;
  };

/** Further conditions of a WHERE clause. */
export const and = (terms: readonly Term[], value: Bind): string =>
  terms.map(({ asset }) => ` AND ${asset(value)}`).join('');

/** `image/png` is found by type, `image/` by family; other beginnings compare within the family. */
function typeTerms(mimeType: string): Term[] {
  const filter = 'mimeType';
  const [family = '', rest] = mimeType.toLowerCase().split('/');
  // "0" follows "/", so every type of the family is between "family/" and "family0".
  const inFamily: Sql = (value) => {
    const within = value(family);
    return `c.mime_type >= ${within}::text || '/' AND c.mime_type < ${within}::text || '0'`;
  };
  const ofFamily: Sql = (value) => `a.mime_family = ${value(family)}`;
  if (rest === undefined || rest === '')
    return [{ filter, asset: ofFamily, count: inFamily, set: (value) => `c.mime_family = ${value(family)}` }];
  const begins =
    (alias: string): Sql =>
    (value) => {
      const from = value(mimeType.toLowerCase());
      return `${alias}.mime_type >= ${from} AND starts_with(${alias}.mime_type, ${from})`;
    };
  return [
    { filter, asset: ofFamily, count: inFamily },
    { filter, asset: begins('a'), count: begins('c') },
  ];
}

type Terms = { readonly [K in keyof AssetFilter]: (given: NonNullable<AssetFilter[K]>) => Term[] };

const terms: Terms = {
  folderId: (id) => {
    const isIn =
      (alias: string): Sql =>
      (value) =>
        `${alias}.folder_id = ${value(id)}::uuid`;
    return [{ filter: 'folderId', asset: isIn('a'), count: isIn('c') }];
  },
  mimeType: typeTerms,
  isUnused: (isUnused) => {
    const isUsed =
      (alias: string): Sql =>
      () =>
        `${isUnused ? 'NOT ' : ''}${alias}.is_used`;
    return [{ filter: 'isUnused', asset: isUsed('a'), count: isUsed('c') }];
  },
  tags: (tags) => [
    {
      filter: 'tags',
      asset: (value) =>
        `EXISTS (SELECT FROM media_asset_tags t WHERE t.environment_id = a.environment_id AND t.asset_id = a.id
          AND ${holdsTag(tags, value)})`,
    },
  ],
  siteIds: (siteIds) => [
    {
      filter: 'siteIds',
      asset: (value) => `a.site_set = ANY(ARRAY(${matchingSets('site_set', namesSite(siteIds)(value))}))`,
      set: namesSite(siteIds),
    },
  ],
  missingAltText: (locale) => [
    {
      filter: 'missingAltText',
      asset: (value) =>
        `a.mime_family = 'image' AND a.alt_set = ANY(ARRAY(${matchingSets('alt_set', lacksText(locale)(value))}))`,
      set: lacksText(locale),
    },
  ],
  ids: (ids) => [{ filter: 'ids', asset: (value) => `a.id = ANY(${value(ids)}::uuid[])` }],
  sourceChecksums: (checksums) => [
    {
      filter: 'sourceChecksums',
      asset: (value) => `a.source_checksum = ANY(${value(checksums)}::text[])`,
    },
  ],
  contains: (text) => [{ filter: 'contains', asset: containsText(text) }],
};

function termsOf<K extends keyof AssetFilter>(filter: AssetFilter, key: K): Term[] {
  const given = filter[key];
  return given === null ? [] : terms[key](given);
}

/** What the caller asks for and may read. */
export function filterTerms(filter: AssetFilter, scope: WorkScope): Term[] {
  const isLimited = readableAssets(scope, () => '$1') !== null;
  const readable: Term = { filter: 'readable', asset: (value) => readableAssets(scope, value) ?? 'true' };
  const keys = Object.keys(terms) as (keyof AssetFilter)[];
  return [...keys.flatMap((key) => termsOf(filter, key)), ...(isLimited ? [readable] : [])];
}
