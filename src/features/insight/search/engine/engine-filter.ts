import { grantsFor, type Grant } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { Condition } from '../../../publishing/delivery/index.js';
import type { StateFilter } from '../../../entries/entries/index.js';
import type { SearchQuery } from '../search-index.js';
import { anyClause, type Clause } from './engine-match.js';
import { MOST_TERMS } from './engine-indexes.js';
import { comparedText, soughtText, valueKey, type ValueForm } from './engine-values.js';
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
  for (const condition of query.conditions)
    clauses.push('key' in condition ? systemClause(condition) : fieldClause(condition));
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
