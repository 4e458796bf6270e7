import type { HealthCode } from '../../../contracts/insight/reports/report.js';
import type { Desk } from '../../support/desk.js';

interface EntryRow {
  readonly id: string;
  readonly type: string;
  readonly isDeleted: boolean;
  readonly isPage: boolean;
  readonly isBlock: boolean;
  readonly shared: Record<string, unknown>;
}

interface LocaleRow {
  readonly entryId: string;
  readonly locale: string;
  readonly slug: string;
  readonly fields: Record<string, unknown>;
  readonly inTree: boolean;
  readonly status: string;
  readonly publishedAt: Date | null;
  readonly publishedVersion: number | null;
}

interface Rows {
  readonly entries: readonly EntryRow[];
  readonly locales: readonly LocaleRow[];
  readonly fields: readonly {
    type: string;
    name: string;
    kind: string;
    required: boolean;
    localized: boolean;
  }[];
  readonly links: readonly {
    entryId: string;
    locale: string;
    field: string;
    targetId: string;
    isMedia: boolean;
  }[];
  readonly assets: readonly { id: string; mimeType: string; described: string[] }[];
  readonly translations: readonly { entryId: string; locale: string; status: string }[];
  readonly nodes: readonly { entryId: string }[];
  readonly fallbacks: readonly { code: string; fallback: string | null }[];
  readonly versions: readonly { entryId: string; locale: string; version: number; at: Date }[];
}

const queries: Readonly<Record<keyof Rows, string>> = {
  entries: `SELECT e.id, t.api_name AS type, e.deleted_at IS NOT NULL AS "isDeleted", t.is_page AS "isPage", t.is_block AS "isBlock",
    e.shared_fields AS shared FROM entries e JOIN content_types t ON t.id = e.content_type_id`,
  locales: `SELECT entry_id AS "entryId", locale, slug, fields, in_tree AS "inTree", status, published_at AS "publishedAt",
    published_version AS "publishedVersion" FROM entry_locales`,
  fields: `SELECT t.api_name AS type, f.api_name AS name, f.type AS kind, f.required, f.localized FROM fields f
    JOIN content_types t ON t.id = f.content_type_id`,
  links: `SELECT k.entry_id AS "entryId", k.locale, f.api_name AS field, k.target_id AS "targetId", k.is_media AS "isMedia"
    FROM entry_links k JOIN fields f ON f.id = k.field_id`,
  assets: `SELECT a.id, a.mime_type AS "mimeType", (SELECT coalesce(array_agg(l.locale), '{}') FROM media_asset_locales l
    WHERE l.asset_id = a.id AND l.alt_text IS NOT NULL) AS described FROM media_assets a`,
  translations: `SELECT entry_id AS "entryId", locale, status FROM translations`,
  nodes: `SELECT entry_id AS "entryId" FROM tree_nodes`,
  fallbacks: 'SELECT code, fallback_code AS fallback FROM locales',
  versions: `SELECT entry_id AS "entryId", locale, version_num AS version, created_at AS at FROM entry_versions`,
};

/** A locale with its fallbacks. */
function chainOf({ fallbacks }: Rows, locale: string): string[] {
  const chain: string[] = [];
  for (let next: string | null = locale; next !== null && !chain.includes(next);) {
    const code: string = next;
    chain.push(code);
    next = fallbacks.find((one) => one.code === code)?.fallback ?? null;
  }
  return chain;
}

const textsOf = (node: unknown): string =>
  typeof node !== 'object' || node === null
    ? ''
    : `${String((node as { text?: string }).text ?? '')}${((node as { content?: unknown[] }).content ?? []).map(textsOf).join('')}`;

function isMissing(value: unknown, kind: string): boolean {
  if (value === undefined || value === null) return true;
  if (kind === 'richText') return textsOf(value).trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'string' && value.trim() === '';
}

export interface RecountedIssue {
  readonly entryId: string;
  readonly type: string;
  readonly code: HealthCode;
  readonly field: string | null;
  readonly locale: string | null;
}

const daysSince = (time: Date): number => (Date.now() - time.getTime()) / 86_400_000;

/** Every issue of the only environment, but for redirects, found by looking at all rows. */
export async function recountHealth({ app, project }: Desk): Promise<RecountedIssue[]> {
  const names = Object.keys(queries) as (keyof Rows)[];
  const read = names.map(async (name) => [name, await app.rows(project.tenantId, queries[name])] as const);
  const rows = Object.fromEntries(await Promise.all(read)) as unknown as Rows;
  const living = rows.entries.filter(({ isDeleted }) => !isDeleted);
  const found = new Map<string, RecountedIssue>();
  for (const entry of living) {
    const add = (code: HealthCode, locale: string | null = null, field: string | null = null): void => {
      found.set([entry.id, code, locale, field].join(' '), {
        entryId: entry.id,
        type: entry.type,
        code,
        field,
        locale,
      });
    };
    const own = rows.locales.filter(({ entryId }) => entryId === entry.id);
    checkFields(rows, entry, own, add);
    checkLinks(rows, entry, own, add);
    for (const { entryId, locale, status } of rows.translations)
      if (entryId === entry.id && status === 'missing') add('missing_translation', locale);
      else if (entryId === entry.id && status === 'stale') add('stale_translation', locale);
    const isHeld = rows.links.some(
      ({ targetId, entryId }) => targetId === entry.id && living.some(({ id }) => id === entryId),
    );
    const isPlaced = rows.nodes.some(({ entryId }) => entryId === entry.id);
    if ((entry.isPage && !isPlaced) || (entry.isBlock && !isHeld)) add('orphaned');
    checkLocales(rows, entry, own, add);
  }
  return [...found.values()];
}

type Add = (code: HealthCode, locale?: string | null, field?: string | null) => void;

function checkFields(rows: Rows, entry: EntryRow, own: readonly LocaleRow[], add: Add): void {
  for (const field of rows.fields.filter(({ type, required }) => type === entry.type && required))
    if (!field.localized) {
      if (isMissing(entry.shared[field.name], field.kind)) add('missing_required', null, field.name);
    } else
      for (const { locale, fields } of own)
        if (isMissing(fields[field.name], field.kind)) add('missing_required', locale, field.name);
}

function checkLinks(rows: Rows, entry: EntryRow, own: readonly LocaleRow[], add: Add): void {
  for (const { locale, field, targetId, isMedia } of rows.links.filter(
    ({ entryId }) => entryId === entry.id,
  )) {
    const asset = rows.assets.find(({ id }) => id === targetId);
    const isThere = isMedia
      ? asset !== undefined
      : rows.entries.some(({ id, isDeleted }) => id === targetId && !isDeleted);
    if (!isThere) add('broken_reference', locale === '' ? null : locale, field);
    const shown = own.filter((one) => locale === '' || one.locale === locale);
    if (asset?.mimeType.startsWith('image/'))
      for (const one of shown)
        if (!chainOf(rows, one.locale).some((code) => asset.described.includes(code)))
          add('missing_alt_text', one.locale, field);
  }
}

function checkLocales(rows: Rows, entry: EntryRow, own: readonly LocaleRow[], add: Add): void {
  for (const { locale, slug, inTree, status, publishedAt, publishedVersion } of own) {
    if (slug === entry.id && !entry.isBlock) add('no_slug', locale);
    const isTwin = (other: LocaleRow): boolean => {
      const owner = rows.entries.find(({ id }) => id === other.entryId);
      return owner !== undefined && !owner.isDeleted && !owner.isBlock && owner.type !== entry.type;
    };
    const twins = rows.locales.filter((one) => one.slug === slug && one.locale === locale && !one.inTree);
    if (!inTree && !entry.isBlock && twins.some(isTwin)) add('duplicate_slug', locale);
    if (publishedAt === null || publishedVersion === null) continue;
    if (daysSince(publishedAt) > 180) add('stale_content', locale);
    const changes = rows.versions.filter(
      (one) => one.entryId === entry.id && one.locale === locale && one.version > publishedVersion,
    );
    const first = Math.min(...changes.map(({ at }) => at.getTime()));
    if (status === 'changed' && daysSince(publishedAt) > 30 && daysSince(new Date(first)) > 30)
      add('draft_drift', locale);
  }
}
