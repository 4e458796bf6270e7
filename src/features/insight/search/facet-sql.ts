import { inTextOrder } from '../../../infrastructure/text-order.js';
import type { Bind } from '../../shared/readable-entries.js';
import {
  type Demand,
  FACET_VALUES,
  isPlaced,
  type PlacedFacet,
  type SearchFacet,
  type SystemFacet,
} from './search-index.js';
import { boostedTerms, markedSql, termInMarks } from '../../../content/search/boosts.js';
import { allOf, anyOf, phraseOf, type QueryTerm } from '../../../content/search/search-query.js';
import { synonymsIn } from '../../../content/search/synonyms.js';
import type { PlannedQuery } from './query-plan.js';

const placedColumns: Readonly<Record<PlacedFacet, string>> = {
  workflowState: "coalesce(workflow_state, '')",
  locale: 'locale',
};

const facetColumns: Readonly<Record<Exclude<SystemFacet, PlacedFacet>, string>> = {
  contentType: 'content_type_id::text',
  site: 'site_id::text',
  status: 'status',
  assignee: 'assignee_id::text',
};

/**
 * SQL of a JSON list of counts over `found`.
 * @param isGrouped whether entries are counted instead of their locales
 */
export function facetSql(facet: SearchFacet, place: number, isGrouped: boolean): string {
  const count = isGrouped ? 'count(DISTINCT id)' : 'count(*)';
  /** @param order SQL of what equally frequent values are ordered by */
  const grouped = (order: string): string =>
    `GROUP BY value ORDER BY ${count} DESC, ${order} LIMIT ${String(FACET_VALUES)}`;
  const listed = (counts: string): string =>
    `(SELECT coalesce(jsonb_agg(to_jsonb(c)), '[]') FROM (${counts}) AS c)`;
  if ('apiName' in facet) {
    const field = `facet_${String(place)}`;
    const valueOf = (item: string): string =>
      facet.isLink ? `${item} ->> '_ref'` : `normalize(${item} #>> '{}', NFC)`;
    const values = facet.isList
      ? `SELECT DISTINCT ${valueOf('item')} AS value
          FROM jsonb_array_elements(CASE jsonb_typeof(${field}) WHEN 'array' THEN ${field} ELSE '[]' END) AS items (item)`
      : `SELECT ${valueOf(field)} AS value`;
    const order = facet.isLink ? 'value' : inTextOrder('value');
    return listed(
      `SELECT value, ${count}::int AS count FROM found CROSS JOIN LATERAL (${values}) AS v WHERE value IS NOT NULL ${grouped(order)}`,
    );
  }
  if (isPlaced(facet.name))
    return listed(`SELECT ${placedColumns[facet.name]} AS value, content_type_id AS "contentTypeId", site_id AS "siteId",
      ${count}::int AS count FROM found GROUP BY 1, 2, 3`);
  const column = facetColumns[facet.name];
  return listed(
    `SELECT ${column} AS value, ${count}::int AS count FROM found WHERE ${column} IS NOT NULL ${grouped('value')}`,
  );
}

/** SQL of the values in `fields` that facets of fields count, as columns. */
export const facetColumnsSql = (facets: readonly SearchFacet[], fields: string, bind: Bind): string =>
  facets
    .map((facet, place) =>
      'apiName' in facet ? `, ${fields} -> ${bind(facet.apiName)}::text AS facet_${String(place)}` : '',
    )
    .join('');

/** What counts of text in rich text, other text and the title (rule search/words), in the order D, C, B, A. */
const WEIGHTS = `'{0.05, 0.1, 0.4, 1}'`;

/** SQL of what documents match, and of how well. */
interface Match {
  readonly condition: string;
  readonly score: string;
}

const rankSql = (query: string, bind: Bind): string =>
  `ts_rank(${WEIGHTS}, d.vector, ${bind(query)}::tsquery, 1)`;

/** What counts of a synonym in a title, and of how often there are synonyms: less than of any word as it is written. */
const SYNONYM_TITLE = 0.2;
const SYNONYM_RANK = 0.1;

/** Exact titles, then phrases, then words, then synonyms. */
function scoreOfAll({ tokens, terms, phrases, title }: PlannedQuery, bind: Bind): string {
  const wanted = [...terms, ...phrases];
  const query = (text: string): string => `(d.vector @@ ${bind(text)}::tsquery)::int`;
  const synonyms = synonymsIn(terms);
  const others =
    synonyms.length === 0
      ? []
      : [
          `${String(SYNONYM_TITLE)} * ${query(allOf(wanted, { weight: 'A' }))}`,
          `${String(SYNONYM_RANK)} * ${rankSql(anyOf(synonyms), bind)}`,
        ];
  return [
    `8 * (d.title = ${bind(title)})::int`,
    `4 * ${query(phraseOf(tokens, 'A'))}`,
    `3 * ${query(allOf(wanted, { weight: 'A', isOwn: true }))}`,
    `2 * ${query(phraseOf(tokens))}`,
    query(allOf(wanted, { isExact: true })),
    rankSql(anyOf(wanted, { isCounted: true }), bind),
    ...others,
  ].join(' + ');
}

/** Rare words tell more; those of a title twice, synonyms half. */
function scoreOfAny(plan: PlannedQuery, bind: Bind, rarity: readonly number[]): string {
  const found = (query: string): string => `(d.vector @@ ${bind(query)}::tsquery)::int`;
  const parts = plan.terms.map((term, index) => {
    const weight = bind(rarity[index] ?? 0);
    const own = found(allOf([term], { isOwn: true }));
    const titled = found(allOf([term], { weight: 'A', isOwn: true }));
    const hasSynonyms = synonymsIn([term]).length > 0;
    const any = hasSynonyms ? `greatest(${own}, 0.5 * ${found(allOf([term]))})` : own;
    return `${weight}::float8 * (${any} + ${titled})`;
  });
  return `${parts.join(' + ')} + ${rankSql(anyOf(plan.terms, { isCounted: true }), bind)}`;
}

/** How much more or less documents count for their fields; empty if all count the same. */
function fieldFactor({ boosts, terms, phrases }: PlannedQuery, bind: Bind): string {
  if (boosts.length === 0) return '';
  const { terms: compared, power } = boostedTerms([...terms, ...phrases]);
  const factors = compared.map((term) => {
    const cases = boosts.flatMap(({ marks, boost }) => {
      const query = markedSql(termInMarks(term, marks));
      return query === undefined
        ? []
        : [`CASE WHEN d.boosted @@ ${bind(query)}::tsquery THEN ${bind(boost ** power)}::float8 END`];
    });
    return cases.length === 0 ? '1' : `coalesce(greatest(${cases.join(', ')}), 1)`;
  });
  return ` * CASE WHEN d.boosted IS NULL THEN 1 ELSE ${factors.join(' * ')} END`;
}

/** @param marks lexemes of the place, of which a document has one */
export function matchSql(
  plan: PlannedQuery,
  {
    demand,
    marks,
    rarity,
    isScored,
  }: {
    readonly demand: Demand;
    readonly marks: readonly string[];
    readonly rarity: readonly number[];
    readonly isScored: boolean;
  },
  bind: Bind,
): Match {
  const { terms, phrases, excluded } = plan;
  const needed = [marks.map((mark) => `'${mark}'`).join(' | ')];
  if (terms.length > 0) needed.push(demand === 'all' ? allOf(terms) : anyOf(terms));
  if (phrases.length > 0) needed.push(allOf(phrases));
  const query = [...needed.map((part) => `(${part})`), ...excluded.map((term) => `!(${allOf([term])})`)].join(
    ' & ',
  );
  const ranked = demand === 'all' ? scoreOfAll : scoreOfAny;
  return {
    condition: `d.vector @@ ${bind(query)}::tsquery`,
    score:
      isScored && terms.length + phrases.length > 0
        ? `(${ranked(plan, bind, rarity)})${fieldFactor(plan, bind)}`
        : '0',
  };
}

/** SQL of how many documents have each term. */
export const frequenciesSql = (terms: readonly QueryTerm[], bind: Bind): string =>
  terms
    .map(
      (term, index) =>
        `count(*) FILTER (WHERE d.vector @@ ${bind(allOf([term]))}::tsquery)::int AS "${String(index)}"`,
    )
    .join(', ');
