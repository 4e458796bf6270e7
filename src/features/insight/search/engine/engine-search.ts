import { limits } from '../../../../../contracts/limits.js';
import { invalidInput } from '../../../../../contracts/errors.js';
import { EngineFailure, type SearchEngine } from '../../../../infrastructure/search/search-engine.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { PlannedQuery } from '../query-plan.js';
import type { Demand, HitKey, SearchFound, SearchQuery, SearchSort } from '../search-index.js';
import {
  boosted,
  facetClauses,
  facetCounts,
  type Aggregations,
  engineMatch,
  SCALE,
  ENTRIES,
  type Clause,
  anyClause,
} from './engine-match.js';
import { RESULT_WINDOW, MOST_TERMS } from './engine-indexes.js';
import { valueKey, comparedText, soughtText, type ValueForm } from './engine-values.js';
import { grantsFor, type Grant } from '../../../../access/grants.js';
import type { Condition } from '../../../publishing/delivery/index.js';
import type { StateFilter } from '../../../entries/entries/index.js';
import { EngineStateRepository } from './state.repository.js';

type FieldCondition = Extract<Condition, { apiName: string }>;
type SystemCondition = Extract<Condition, { key: string }>;

const terms = (field: string, values: readonly unknown[]): Clause => ({ terms: { [field]: values } });
const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });
const NOTHING: Clause = { match_none: {} };

const containing = (field: string, text: string, isAnyCase: boolean): Clause => {
  const value = `*${text.replace(/[\\*?]/g, '\\$&')}*`;
  return { wildcard: { [field]: { value, ...(isAnyCase && { case_insensitive: true }) } } };
};

const isOrder = (operator: string): boolean => ['gt', 'gte', 'lt', 'lte'].includes(operator);

/** By kind of comparison: the form of the value, and a value of a condition in it. */
const comparisons: Readonly<
  Record<FieldCondition['comparison'], { form: ValueForm; of(text: string): unknown }>
> = {
  string: { form: 's', of: comparedText },
  link: { form: 'r', of: (text: string) => text.slice(0, 1000) },
  number: { form: 'n', of: Number },
  boolean: { form: 'b', of: (text: string) => text === 'true' },
  date: { form: 's', of: comparedText },
  time: { form: 't', of: (text: string) => Date.parse(text) },
};

function fieldClause({ apiName, comparison, operator, values }: FieldCondition): Clause {
  const [first = ''] = values;
  if (operator === 'exists') {
    const isThere: Clause = { term: { present: apiName } };
    return first === 'true' ? isThere : not(isThere);
  }
  const { form, of } = comparisons[comparison];
  if (operator === 'contains' && comparison === 'string')
    return containing(valueKey('c', apiName), soughtText(first), false);
  const field = valueKey(form, apiName);
  if (isOrder(operator)) return { range: { [field]: { [operator]: of(first) } } };
  const among = terms(
    field,
    values.map((value) => of(value)),
  );
  return operator === 'ne' || operator === 'nin' ? not(among) : among;
}

const systemFields = { _slug: 'slug', _id: 'entryId', _publishedAt: 'publishedAt' } as const;

function systemClause({ key, operator, values }: SystemCondition): Clause {
  const field = systemFields[key];
  const [first = ''] = values;
  if (operator === 'exists') {
    const isThere: Clause = { exists: { field } };
    return first === 'true' ? isThere : not(isThere);
  }
  if (operator === 'contains') return containing(field, soughtText(first), true);
  const of = (value: string): string | number =>
    key === '_publishedAt' ? Date.parse(value) : key === '_id' ? value.toLowerCase() : value;
  if (isOrder(operator)) return { range: { [field]: { [operator]: of(first) } } };
  const among = terms(field, values.map(of));
  return operator === 'ne' || operator === 'nin' ? not(among) : among;
}

function conditionClause(condition: Condition): Clause {
  if ('key' in condition) return systemClause(condition);
  if ('apiName' in condition) return fieldClause(condition);
  const parts = condition.parts.map(conditionClause);
  if (condition.combine === 'or') return anyClause(parts);
  const all: Clause = { bool: { filter: parts } };
  return condition.combine === 'not' ? not(all) : all;
}

function stateClause({ keys, based }: StateFilter): Clause {
  const entered = terms('workflowState', keys);
  if (based !== 'all' && based.length === 0) return entered;
  const isBase: Clause = { term: { workflowState: '' } };
  if (based === 'all') return anyClause([entered, isBase]);
  const byType = Map.groupBy(based, ({ contentTypeId }) => contentTypeId);
  const places = [...byType].map(([contentTypeId, sites]): Clause => ({
    bool: {
      filter: [
        { term: { contentTypeId } },
        terms(
          'siteId',
          sites.map(({ siteId }) => siteId),
        ),
      ],
    },
  }));
  return anyClause([entered, { bool: { filter: [isBase, anyClause(places)] } }]);
}

/** An entry is found in the first locale of the chain that it has. */
const chainClause = (locales: readonly string[]): Clause =>
  anyClause(
    locales.map((locale, place) => ({
      bool: {
        filter: [{ term: { locale } }],
        must_not: place === 0 ? [] : [terms('siblings', locales.slice(0, place))],
      },
    })),
  );

/** An entry with one document for every locale is found in each. */
function localesClause(locales: readonly string[], { isChain, forAll }: SearchQuery): Clause {
  const written = isChain ? chainClause(locales) : terms('locale', locales);
  return forAll.length === 0 ? written : anyClause([written, terms('contentTypeId', forAll)]);
}

async function grantClause(work: UnitOfWork, { scope }: Grant): Promise<Clause> {
  const { contentTypes, siteIds, treeNodeIds, ownOnly } = scope;
  const filter: Clause[] = [];
  if (contentTypes) filter.push(terms('contentTypeId', contentTypes));
  if (siteIds) filter.push(terms('siteId', siteIds));
  if (treeNodeIds)
    filter.push(terms('entryId', await work.use(EngineStateRepository).below(treeNodeIds, MOST_TERMS)));
  if (ownOnly) filter.push({ term: { createdBy: work.scope.actor.id ?? '' } });
  return { bool: { filter } };
}

/** Drafts that the actor can read; null if all. Below tree nodes at most {@link MOST_TERMS}. */
async function readableClause(work: UnitOfWork): Promise<Clause | null> {
  const { scope } = work;
  if (scope.grants === null) return null;
  const grants = grantsFor(scope, 'entries.read');
  const limited = ['contentTypes', 'siteIds', 'treeNodeIds', 'ownOnly'] as const;
  if (grants.some((grant) => limited.every((key) => grant.scope[key] === undefined))) return null;
  if (grants.length === 0) return NOTHING;
  const clauses: Clause[] = [];
  for (const grant of grants) clauses.push(await grantClause(work, grant));
  return anyClause(clauses);
}

/** All that documents are filtered by: the place, filters and rights. */
export async function engineFilter(work: UnitOfWork, query: SearchQuery): Promise<Clause[]> {
  const clauses: Clause[] = [{ term: { stage: query.stage } }];
  const among = (field: string, values: readonly unknown[] | null): void => {
    if (values !== null) clauses.push(terms(field, values));
  };
  among('contentTypeId', query.contentTypeIds);
  among('siteId', query.siteIds);
  if (query.locales !== null) clauses.push(localesClause(query.locales, query));
  clauses.push(...query.conditions.map(conditionClause));
  if (query.stage === 'live') return clauses;
  among('status', query.statuses);
  among('assigneeId', query.assigneeIds);
  among('createdBy', query.createdBy);
  among('updatedBy', query.updatedBy);
  if (query.states !== null) clauses.push(stateClause(query.states));
  const { updatedAfter, updatedBefore } = query;
  if (updatedAfter !== null) clauses.push({ range: { updatedAt: { gt: updatedAfter.getTime() } } });
  if (updatedBefore !== null) clauses.push({ range: { updatedAt: { lt: updatedBefore.getTime() } } });
  const readable = await readableClause(work);
  return readable === null ? clauses : [...clauses, readable];
}

/** Text of results is compared by its beginning. */
const sortForms = {
  string: ['l', 'keyword'],
  link: ['r', 'keyword'],
  number: ['n', 'double'],
  boolean: ['b', 'boolean'],
  date: ['l', 'keyword'],
  time: ['t', 'double'],
} as const;

function sortClause(sort: SearchSort | null): Clause[] {
  const last: Clause[] = [{ updatedAt: 'desc' }, { entryId: 'asc' }, { locale: 'asc' }];
  if (sort === null) return [{ _score: 'desc' }, ...last];
  const order = sort.isAscending ? 'asc' : 'desc';
  if ('key' in sort) return [{ [sort.key === 'title' ? 'titleSort' : sort.key]: { order } }, ...last];
  const [form, type] = sortForms[sort.comparison];
  return [{ [valueKey(form, sort.apiName)]: { order, unmapped_type: type } }, ...last];
}

/** Locales of these entries that the query finds, in order. */
async function localesOf(
  { query }: SearchBody,
  entryIds: readonly string[],
  send: (body: object) => Promise<EngineResult>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (entryIds.length === 0) return new Map();
  const filter = [query, terms('entryId', entryIds)];
  const size = entryIds.length * limits.localesPerTenant;
  const { hits } = await send({ query: { bool: { filter } }, size, sort: ['_doc'], _source: false });
  const keys = hits.hits.map(({ _id }) => keyOf(_id));
  const byEntry = Map.groupBy(keys, ({ entryId }) => entryId);
  return new Map([...byEntry].map(([id, found]) => [id, found.map(({ locale }) => locale).sort()]));
}

const keyOf = (id: string): HitKey => {
  const [, entryId = '', locale = ''] = id.split(':');
  return { entryId, locale };
};

interface EngineResult {
  readonly timed_out?: boolean;
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _id: string; readonly _score: number | null }[];
  };
  readonly aggregations?: Aggregations;
}

interface SearchBody {
  readonly query: Clause;
  readonly [part: string]: unknown;
}

async function bodyOf(
  work: UnitOfWork,
  query: SearchQuery,
  { plan, demand }: { readonly plan: PlannedQuery | null; readonly demand: Demand },
): Promise<SearchBody> {
  const match = plan === null ? { filter: [], mustNot: [], should: [] } : engineMatch(plan, demand);
  const filter = [...(await engineFilter(work, query)), ...match.filter];
  const found: Clause = {
    bool: { filter, must_not: match.mustNot, should: match.should, minimum_should_match: 0 },
  };
  return {
    query: plan === null ? found : boosted(found, plan, query.settings),
    sort: sortClause(query.sort),
    from: query.offset,
    size: query.limit,
    track_total_hits: true,
    track_scores: true,
    _source: false,
    aggs: { ...facetClauses(query.facets, query.isGrouped), ...(query.isGrouped && { total: ENTRIES }) },
    ...(query.isGrouped && { collapse: { field: 'entryId' } }),
  };
}

/**
 * One search of an alias.
 * @throws EngineFailure
 * @throws AppError 422 for a page far behind
 */
export async function searchEngine(
  work: UnitOfWork,
  query: SearchQuery,
  options: {
    readonly engine: SearchEngine;
    readonly alias: string;
    readonly plan: PlannedQuery | null;
    readonly demand: Demand;
  },
): Promise<SearchFound> {
  if (query.offset + query.limit > RESULT_WINDOW)
    throw invalidInput({
      path: ['page'],
      code: 'too_large',
      message: `Only the first ${String(RESULT_WINDOW)} results are listed.`,
    });
  const path = `/${options.alias}/_search?allow_partial_search_results=false`;
  const send = async (body: object): Promise<EngineResult> => {
    const answer = (await options.engine.send({ method: 'POST', path, body })) as EngineResult;
    if (answer.timed_out === true) throw new EngineFailure('unavailable', 'timeout');
    return answer;
  };
  const body = await bodyOf(work, query, options);
  const { hits: found, aggregations = {} } = await send(body);
  const hits = found.hits.map(({ _id, _score }) => ({
    ...keyOf(_id),
    score: options.plan === null ? 0 : (_score ?? 0) / SCALE,
  }));
  const facets = facetCounts(query.facets, aggregations);
  if (!query.isGrouped) return { hits, total: found.total.value, facets };
  const ids = hits.map(({ entryId }) => entryId);
  const locales = await localesOf(body, ids, send);
  const groups = hits.map((hit) => ({ ...hit, locales: locales.get(hit.entryId) ?? [hit.locale] }));
  return { hits: groups, total: aggregations.total?.value ?? 0, facets };
}
