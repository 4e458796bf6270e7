import type { Statement, StatementReader } from '../../../persistence/connections/read-pool.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { BoundWork, UnitOfWork } from '../../../persistence/work/unit-of-work.js';

/** Tables whose rows can be replaced, with SQL of which rows `b` stay: those without one of the ids. */
const keptRows = {
  published_entries: (ids: string) => `b.entry_id <> ALL(${ids}::uuid[])`,
  routes: (ids: string) => `coalesce(b.node_id, b.entry_id) <> ALL(${ids}::uuid[])`,
  tree_nodes: (ids: string) => `b.id <> ALL(${ids}::uuid[])`,
  redirects: (ids: string) => `b.id <> ALL(${ids}::uuid[])`,
  media_assets: (ids: string) => `b.id <> ALL(${ids}::uuid[])`,
  media_asset_locales: (ids: string) => `b.asset_id <> ALL(${ids}::uuid[])`,
  search_documents: (ids: string) => `(b.stage <> 'live' OR b.entry_id <> ALL(${ids}::uuid[]))`,
} as const satisfies Record<string, (ids: string) => string>;

export type OverlaidTable = keyof typeof keptRows;

/** Rows that replace those of one environment for some reads. */
export interface Overlay {
  readonly environmentId: string;
  readonly tables: readonly {
    readonly name: OverlaidTable;
    /** Those that the readers may see. */
    readonly columns: readonly string[];
    /** What the replaced rows belong to. */
    readonly ids: readonly string[];
    /** JSON array of the rows that are there instead. */
    readonly rows: string;
  }[];
}

type Bind = (value: unknown) => string;
type Layer = Overlay['tables'][number];

const instead = ({ name, rows }: Layer, bind: Bind): string =>
  `jsonb_populate_recordset(NULL::public.${name}, ${bind(rows)}::jsonb)`;

function layerSql(layer: Layer, bind: Bind): string {
  const { name, columns, ids } = layer;
  const of = (row: string): string => columns.map((column) => `${row}.${column}`).join(', ');
  return `${name} AS NOT MATERIALIZED (SELECT ${of('b')} FROM public.${name} b WHERE ${keptRows[name](bind(ids))}
    UNION ALL SELECT ${of('r')} FROM ${instead(layer, bind)} r)`;
}

/** What triggers derive from published documents, as statements read it. */
const derived: Readonly<Record<string, (layer: Layer, environmentId: string, bind: Bind) => string>> = {
  published_counts: (layer, environmentId, bind) => {
    const counted = 'environment_id, content_type_id, site_id, locale';
    const count = (step: string, rows: string): string =>
      `SELECT ${counted}, 0 AS slot, ${step}count(*) AS entries FROM ${rows} GROUP BY ${counted}`;
    return `published_counts AS (SELECT ${counted}, slot, entries FROM public.published_counts
      UNION ALL ${count('', `${instead(layer, bind)} AS r`)}
      UNION ALL ${count('-', `public.published_entries b WHERE b.environment_id = ${bind(environmentId)}::uuid AND b.entry_id = ANY(${bind(layer.ids)}::uuid[])`)})`;
  },
  // A type that is noted whole is not looked up in the index, which does not have the other rows.
  filter_notes: (layer, environmentId, bind) => {
    const environment = `${bind(environmentId)}::uuid`;
    return `filter_notes AS (SELECT environment_id, content_type_id, entry_id, locale FROM public.filter_notes
      UNION ALL SELECT ${environment}, t.content_type_id, NULL, NULL FROM (
        SELECT content_type_id FROM ${instead(layer, bind)} AS r
        UNION SELECT b.content_type_id FROM public.published_entries b
          WHERE b.environment_id = ${environment} AND b.entry_id = ANY(${bind(layer.ids)}::uuid[])) AS t)`;
  },
};

const names = (text: string, table: string): boolean => new RegExp(`\\b${table}\\b`).test(text);

/** The same read, of the environment with the other rows: they have the names of the tables in it. */
function overlaid(
  overlay: Overlay,
  statement: Statement,
  values: readonly unknown[],
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const { text } = statement;
  const bound = [...values];
  const bind: Bind = (value) => `$${String(bound.push(value))}`;
  const layers = overlay.tables.flatMap((layer) => {
    const own = names(text, layer.name) ? [layerSql(layer, bind)] : [];
    if (layer.name !== 'published_entries') return own;
    const others = Object.entries(derived).filter(([table]) => names(text, table));
    return [...own, ...others.map(([, sql]) => sql(layer, overlay.environmentId, bind))];
  });
  if (layers.length === 0) return { statement, values };
  const [start = ''] = /^\s*WITH\s+(?:RECURSIVE\s+)?/i.exec(text) ?? [];
  const rest = start === '' ? ` ${text}` : `, ${text.slice(start.length)}`;
  return { statement: { text: `WITH RECURSIVE ${layers.join(', ')}${rest}` }, values: bound };
}

/** Reads with an overlay, as the role of the readers. */
export class OverlaidReads implements StatementReader {
  constructor(
    private readonly reads: StatementReader,
    private readonly overlay: Overlay,
  ) {}

  run<Row extends object>(given: Statement, bind: readonly unknown[]): Promise<Row[]> {
    const { statement, values } = overlaid(this.overlay, given, bind);
    return this.reads.run<Row>(statement, values);
  }
}

class OverlaidRepository extends Repository {
  /** The same transaction, whose statements read with the overlay. */
  under(overlay: Overlay): BoundWork {
    const connection = new Proxy(this.bound.connection, {
      get: (target, key) => {
        if (key === 'run')
          return <Row extends object>(given: string | Statement, bind: readonly unknown[] = []) => {
            const asked = typeof given === 'string' ? { text: given } : given;
            const { statement, values } = overlaid(overlay, asked, bind);
            return target.run<Row>(statement, values);
          };
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    return { ...this.bound, connection };
  }
}

/** A unit of work that reads with an overlay. */
export function overlaidUnit(work: UnitOfWork, overlay: Overlay): UnitOfWork {
  const bound = work.use(OverlaidRepository).under(overlay);
  return { ...work, use: (repository) => new repository(bound) };
}
