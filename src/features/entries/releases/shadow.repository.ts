import { Repository } from '../../../persistence/repositories/repository.js';
import type { Address } from '../../../persistence/work/unit-of-work.js';
import {
  CopyRepository,
  schemaTables,
  type CopiedTable,
  type RowsPart,
} from '../../environments/environments/index.js';
import type { OverlaidTable, Overlay } from '../../publishing/delivery/index.js';

/** What publications name. */
export interface PublicationSubjects {
  /** Entries to publish or unpublish. */
  readonly entryIds: readonly string[];
  /** Those whose linked entries are published along. */
  readonly withLinked: readonly string[];
  /** Those that leave, which links can prevent. */
  readonly leaving: readonly string[];
  /** Those of which a version is published. */
  readonly pinned: readonly string[];
  readonly moves: readonly { readonly nodeId: string; readonly parentId: string | null }[];
  readonly assetIds: readonly string[];
  /** Whether redirects change, apart from those of pages that move. */
  readonly changesRedirects: boolean;
}

/** What publications of {@link PublicationSubjects} read and write, by id. */
export interface Reached {
  readonly entryIds: readonly string[];
  /** Entries that others link to. */
  readonly linkedIds: readonly string[];
  readonly nodeIds: readonly string[];
  readonly assetIds: readonly string[];
  readonly pinned: readonly string[];
  readonly redirectIds: readonly string[];
}

/**
 * Pages with what is above them; what is below those whose path may change; the siblings of moved nodes and of their
 * new places; entries whose links forbid that others leave; what is linked to. Redirects are all that path changes may touch.
 */
const reach = `WITH RECURSIVE
  linked AS (
    SELECT unnest($3::uuid[]) AS id
    UNION SELECT k.target_id FROM linked l JOIN entry_links k ON k.environment_id = $1 AND k.entry_id = l.id AND NOT k.is_media),
  wanted AS (
    SELECT unnest($2::uuid[]) AS id UNION SELECT id FROM linked
    UNION SELECT p.entry_id FROM published_entries p WHERE p.environment_id = $1
      AND link_targets(p.fields, p.blocks) && ARRAY(SELECT unnest($4::uuid[])::text)),
  target AS (
    SELECT k.target_id AS id FROM wanted w JOIN entry_links k ON k.environment_id = $1 AND k.entry_id = w.id
    UNION SELECT t.id::uuid FROM entry_versions v CROSS JOIN LATERAL unnest(link_targets(v.fields, v.shared_fields)) AS t (id)
      WHERE v.environment_id = $1 AND v.entry_id = ANY($5::uuid[]) AND pg_input_is_valid(t.id, 'uuid')),
  placed AS (SELECT n.id, n.entry_id FROM wanted w JOIN tree_nodes n ON n.environment_id = $1 AND n.entry_id = w.id),
  move AS (SELECT n.id, n.siblings, coalesce(m."parentId", n.site_id) AS place
    FROM jsonb_to_recordset($6::jsonb) AS m ("nodeId" uuid, "parentId" uuid) JOIN tree_nodes n ON n.environment_id = $1 AND n.id = m."nodeId"),
  turning AS (
    SELECT id FROM move
    UNION SELECT p.id FROM placed p WHERE p.entry_id = ANY($5::uuid[]) OR EXISTS (
      SELECT FROM entry_locales l LEFT JOIN published_entries d ON d.environment_id = $1 AND d.entry_id = l.entry_id AND d.locale = l.locale
      WHERE l.environment_id = $1 AND l.entry_id = p.entry_id AND d.slug IS DISTINCT FROM l.slug)),
  below AS (
    SELECT id FROM turning UNION SELECT c.id FROM below b JOIN tree_nodes c ON c.environment_id = $1 AND c.parent_id = b.id),
  near AS (
    SELECT id FROM placed UNION SELECT id FROM below UNION SELECT place FROM move
    UNION SELECT s.id FROM move m JOIN tree_nodes s ON s.environment_id = $1 AND s.siblings IN (m.siblings, m.place)),
  found AS (
    SELECT n.id, n.parent_id, n.entry_id FROM near a JOIN tree_nodes n ON n.environment_id = $1 AND n.id = a.id
    UNION SELECT n.id, n.parent_id, n.entry_id FROM found f JOIN tree_nodes n ON n.environment_id = $1 AND n.id = f.parent_id),
  entry AS (SELECT id FROM wanted UNION SELECT entry_id FROM found WHERE entry_id IS NOT NULL),
  asset AS (SELECT id FROM media_assets WHERE environment_id = $1 AND (id = ANY($7::uuid[]) OR id IN (SELECT id FROM target)))
  SELECT ARRAY(SELECT id FROM entry) AS "entryIds", ARRAY(SELECT id FROM target) AS "linkedIds", ARRAY(SELECT id FROM found) AS "nodeIds", $5::uuid[] AS pinned,
    ARRAY(SELECT id FROM asset UNION SELECT o.override_asset_id FROM asset a JOIN media_asset_locales o
      ON o.environment_id = $1 AND o.asset_id = a.id WHERE o.override_asset_id IS NOT NULL) AS "assetIds",
    ARRAY(SELECT id FROM redirects WHERE environment_id = $1 AND ($8 OR EXISTS (SELECT FROM turning))) AS "redirectIds"`;

const byId = (column: string, ids: readonly string[]): RowsPart => ({
  condition: `${column} = ANY($3::uuid[])`,
  value: ids,
});

/** Rows to copy by table, each after those that it names. */
function partsOf({
  entryIds,
  linkedIds,
  nodeIds,
  assetIds,
  pinned,
  redirectIds,
}: Reached): (readonly [CopiedTable, RowsPart | undefined])[] {
  const nodesAndHomes = {
    condition: `(node_id = ANY(($3::jsonb ->> 'nodes')::uuid[]) OR (node_id IS NULL AND entry_id = ANY(($3::jsonb ->> 'entries')::uuid[])))`,
    value: JSON.stringify({ nodes: `{${nodeIds.join(',')}}`, entries: `{${entryIds.join(',')}}` }),
  };
  const media = [
    ['media_folders', undefined],
    ['media_assets', byId('id', assetIds)],
    ['media_asset_locales', byId('asset_id', assetIds)],
    ['media_asset_versions', byId('asset_id', assetIds)],
  ] as const;
  const versions = [
    ['entry_versions', byId('entry_id', pinned)],
    ['entry_publications', byId('entry_id', pinned)],
  ] as const;
  return [
    ...(assetIds.length > 0 ? media : []),
    ['entries', byId('id', [...entryIds, ...linkedIds])],
    ['entry_locales', byId('entry_id', [...entryIds, ...linkedIds])],
    ...(pinned.length > 0 ? versions : []),
    ['entry_links', byId('entry_id', entryIds)],
    ['owned_blocks', byId('entry_id', entryIds)],
    ['published_entries', byId('entry_id', entryIds)],
    ['unique_values', byId('entry_id', entryIds)],
    ['tree_nodes', byId('id', nodeIds)],
    ['routes', nodesAndHomes],
    ['redirects', byId('id', redirectIds)],
  ];
}

/** Tables with the ids of their rows that publications read. */
const read: readonly (readonly [table: string, column: string, ids: keyof Reached])[] = [
  ['entries', 'id', 'entryIds'],
  ['entries', 'id', 'linkedIds'],
  ['entry_locales', 'entry_id', 'entryIds'],
  ['published_entries', 'entry_id', 'entryIds'],
  ['tree_nodes', 'id', 'nodeIds'],
  ['routes', 'node_id', 'nodeIds'],
  ['redirects', 'id', 'redirectIds'],
  ['media_assets', 'id', 'assetIds'],
  ['media_asset_locales', 'asset_id', 'assetIds'],
];
/** Differs once a row has been written again: with it, its transaction changes. */
const versionsOf = read
  .map(
    ([table, column], at) =>
      `SELECT coalesce(sum(hashtextextended(concat(t.ctid, t.xmin), 0)), 0)::text AS version FROM ${table} t
        WHERE t.environment_id = $1 AND t.${column} = ANY($${String(at + 2)}::uuid[])`,
  )
  .join(' UNION ALL ');

/** SQL of what a row belongs to. */
const owners = {
  published_entries: 'entry_id',
  routes: 'coalesce(node_id, entry_id)',
  tree_nodes: 'id',
  redirects: 'id',
  media_assets: 'id',
  media_asset_locales: 'asset_id',
} as const satisfies Partial<Record<OverlaidTable, string>>;
type ComparedTable = keyof typeof owners;

/** Rows of a table that are there instead of others. */
export type Layer = Omit<Overlay['tables'][number], 'columns'>;

/** What no reader reads. */
const unread = "'{hit_count,last_hit_at,is_used}'::text[]";
/** Files that readers do not see stay as they are. */
const seenByReaders = (table: ComparedTable): string =>
  table === 'media_assets' ? " AND t.scan_status NOT IN ('pending', 'infected')" : '';
const copied = (table: ComparedTable): string =>
  table === 'routes'
    ? '(t.node_id = ANY($3::uuid[]) OR (t.node_id IS NULL AND t.entry_id = ANY($3::uuid[])))'
    : `t.${owners[table]} = ANY($3::uuid[])`;
/** Generated values contain the environment. */
const ofBase = (table: ComparedTable): string =>
  table === 'published_entries'
    ? `, 'filter_values', filter_values($1::uuid, t.content_type_id, t.fields)`
    : '';

/** `$1` the environment, `$2` its shadow, `$3` ids of what was copied. */
const difference = (table: ComparedTable): string => {
  const owner = `${owners[table]} AS owner`;
  return `WITH next AS (SELECT ${owner}, to_jsonb(t) - ${unread} || jsonb_build_object('environment_id', $1::uuid${ofBase(table)}) AS row
      FROM ${table} t WHERE t.environment_id = $2${seenByReaders(table)}),
    former AS (SELECT ${owner}, to_jsonb(t) - ${unread} AS row FROM ${table} t
      WHERE t.environment_id = $1 AND ${copied(table)}${seenByReaders(table)}),
    other AS (SELECT owner FROM (SELECT * FROM next EXCEPT SELECT * FROM former) AS added
      UNION SELECT owner FROM (SELECT * FROM former EXCEPT SELECT * FROM next) AS removed)
  SELECT ARRAY(SELECT owner::text FROM other) AS ids,
    (SELECT coalesce(jsonb_agg(row), '[]')::text FROM next WHERE owner IN (SELECT owner FROM other)) AS rows`;
};

/**
 * An environment that exists in one transaction only, with what some publications concern. Nothing waits for the
 * transaction, because it writes no row of another environment.
 */
export class ShadowRepository extends Repository {
  /** The environment of the unit of work as reached by publications. */
  async reach(named: PublicationSubjects): Promise<Reached> {
    const [reached] = await this.query<Reached>(reach, [
      this.environmentId,
      named.entryIds,
      named.withLinked,
      named.leaving,
      named.pinned,
      JSON.stringify(named.moves),
      named.assetIds,
      named.changesRedirects,
    ]);
    if (reached === undefined) throw new Error('a statement without a row');
    return reached;
  }

  /** Equal as long as nothing is written that publications would read. */
  async versionOf(reached: Reached): Promise<readonly string[]> {
    const bind = [this.environmentId, ...read.map(([, , ids]) => reached[ids])];
    return (await this.query<{ version: string }>(versionsOf, bind)).map(({ version }) => version);
  }

  /** Makes the environment, as a row only. */
  async open({ id, slug }: Address['environment']): Promise<void> {
    await this.query(
      `INSERT INTO environments (tenant_id, project_id, id, slug, name, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $4, $5, $5)`,
      [this.tenantId, this.projectId, id, slug, this.bound.now],
    );
  }

  /** Copies the content model and what is reached, into the environment of the unit of work. */
  async fill(baseId: string, reached: Reached): Promise<void> {
    const parts = [...schemaTables.map((table) => [table, undefined] as const), ...partsOf(reached)];
    const copies = new CopyRepository(this.bound);
    const columns = await copies.columns(parts.map(([table]) => table));
    await this.#copying('on');
    for (const [table, part] of parts) await copies.copy(table, columns.get(table) ?? [], { baseId, part });
    await this.#copying('');
  }

  async #copying(mode: 'on' | ''): Promise<void> {
    await this.query(
      "SELECT set_config('headwater.copying', $1, true), set_config('headwater.rewriting_fields', $1, true)",
      [mode],
    );
  }

  /** What the environment of the unit of work says otherwise than its base. */
  async layers(baseId: string, reached: Reached): Promise<Layer[]> {
    const copies: Readonly<Record<ComparedTable, readonly string[]>> = {
      published_entries: reached.entryIds,
      routes: [...reached.nodeIds, ...reached.entryIds],
      tree_nodes: reached.nodeIds,
      redirects: reached.redirectIds,
      media_assets: reached.assetIds,
      media_asset_locales: reached.assetIds,
    };
    const layers: Layer[] = [];
    for (const name of Object.keys(owners) as ComparedTable[]) {
      const bind = [baseId, this.environmentId, copies[name]];
      const [layer] = await this.query<Pick<Layer, 'ids' | 'rows'>>(difference(name), bind);
      if (layer !== undefined && layer.ids.length > 0) layers.push({ name, ...layer });
    }
    return layers;
  }

  /** With the columns that the role of the readers may read, or all of a table that only the service reads. */
  async overlayOf(environmentId: string, layers: readonly Layer[]): Promise<Overlay> {
    const rows = await this.query<{ name: string; columns: string[]; read: string[] | null }>(
      `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns,
         array_agg(quote_ident(a.attname) ORDER BY a.attnum)
           FILTER (WHERE has_column_privilege('headwater_reader', c.oid, a.attnum, 'SELECT')) AS read
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1::text[]) AND a.attnum > 0 AND NOT a.attisdropped
       GROUP BY c.relname`,
      [layers.map(({ name }) => name)],
    );
    const columns = new Map(rows.map(({ name, read, columns: all }) => [name, read ?? all]));
    return {
      environmentId,
      tables: layers.map((layer) => ({ ...layer, columns: columns.get(layer.name) ?? [] })),
    };
  }
}
