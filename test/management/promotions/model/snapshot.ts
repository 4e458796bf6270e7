import type { TestApp } from '../../../support/app.js';
import type { TestProject } from '../../../support/factories/project.js';

export type Values = Readonly<Record<string, unknown>>;
/** Parts of an item: '' is the item itself, the others are locales of entries and fields of types. */
export type Item = ReadonlyMap<string, Values>;
/** Items by kind and id, such as `entry 019…`; `status 019…` has what is published of it by locale. */
export type Snapshot = ReadonlyMap<string, Item>;

interface TypeRow {
  id: string;
  api_name: string;
  name: string;
  display_field: string | null;
}
interface FieldRow {
  id: string;
  content_type_id: string;
  api_name: string;
  name: string;
  type: string;
  localized: boolean;
  position: number;
}
interface Rows {
  types: TypeRow[];
  fields: FieldRow[];
  entries: { id: string; content_type_id: string; shared_fields: Values }[];
  locales: {
    entry_id: string;
    locale: string;
    slug: string;
    fields: Values;
    content_type_id: string;
    status: string;
  }[];
  nodes: {
    id: string;
    parent_id: string | null;
    entry_id: string | null;
    name: string | null;
    slug: string | null;
    rank: number;
  }[];
  redirects: { id: string; source: string; target: string; is_active: boolean; origin: string }[];
}

const list = (name: string, from: string): string =>
  `'${name}', (SELECT coalesce(json_agg(r), '[]') FROM ${from} AND r.environment_id = e.id)`;
const sql = `SELECT json_build_object(
  ${list('types', 'content_types r WHERE true')}, ${list('fields', 'fields r WHERE true')},
  ${list('entries', 'entries r WHERE r.deleted_at IS NULL')}, ${list('locales', 'entry_locales r WHERE NOT r.is_deleted')},
  ${list('nodes', 'tree_nodes r WHERE true')}, ${list('redirects', 'redirects r WHERE true')}) AS rows
  FROM environments e WHERE e.project_id = $1 AND e.slug = $2`;

/** Values of links name their type by id. */
function stable(value: unknown, typeIds: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
  return { ...value, _type: typeIds.get(String(value._type)) };
}

function snapshotOf({ types, fields, entries, locales, nodes, redirects }: Rows): Snapshot {
  const typeIds = new Map(types.map((type) => [type.api_name, type.id]));
  const byName = new Map(fields.map((field) => [`${field.content_type_id} ${field.api_name}`, field.id]));
  const byId = (typeId: string, values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        byName.get(`${typeId} ${name}`) ?? `unknown field ${name}`,
        stable(value, typeIds),
      ]),
    );
  const items = new Map<string, Item>();
  for (const { id, api_name: apiName, name, display_field: display } of types) {
    const displayField = display === null ? null : byName.get(`${id} ${display}`);
    const own = fields
      .filter((field) => field.content_type_id === id)
      .map(
        (field) =>
          [
            field.id,
            {
              apiName: field.api_name,
              name: field.name,
              type: field.type,
              localized: field.localized,
              order: field.position,
            },
          ] as const,
      );
    items.set(`contentType ${id}`, new Map<string, Values>([['', { apiName, name, displayField }], ...own]));
  }
  for (const { id, content_type_id: type, shared_fields: shared } of entries) {
    const own = locales
      .filter((one) => one.entry_id === id)
      .map(({ locale, slug, fields: values }) => [locale, { slug, ...byId(type, values) }] as const);
    const states = locales
      .filter((one) => one.entry_id === id)
      .map(({ locale, status }) => [locale, { status }] as const);
    items.set(`status ${id}`, new Map<string, Values>(states));
    items.set(`entry ${id}`, new Map<string, Values>([['', { type, ...byId(type, shared) }], ...own]));
  }
  for (const { id, parent_id: parent, entry_id: entry, name, slug, rank } of nodes)
    items.set(`treeNode ${id}`, new Map([['', { parent, entry, name, slug, order: rank }]]));
  for (const { id, source, target, is_active: isActive, origin } of redirects)
    items.set(`redirect ${id}`, new Map([['', { source, target, isActive, origin }]]));
  return items;
}

/** What the rows of an environment say, by ids only. */
export async function takeSnapshot(app: TestApp, project: TestProject, slug: string): Promise<Snapshot> {
  const [found] = await app.rows<{ rows: Rows }>(project.tenantId, sql, [project.projectId, slug]);
  if (found === undefined) throw new Error(`no environment ${slug}`);
  return snapshotOf(found.rows);
}
