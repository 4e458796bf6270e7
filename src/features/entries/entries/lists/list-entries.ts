import type { EntryFacet, EntryListMeta, Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { listEnvelope, type PageMeta } from '../../../../../contracts/envelopes.js';
import type { EntryReference } from '../../../../../contracts/entries/entries/entry-reference.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { whereConditions, type FindTargets } from '../../../publishing/delivery/index.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { EntryTreeRepository } from '../../../routing/tree/index.js';
import { openPage } from '../../../shared/cursor/list-page.js';
import { applyView } from '../../../access/views/index.js';
import { presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import { EntryListRepository, type ListGroup, type EntryQuery } from './entry-list.repository.js';
import {
  entryConditions,
  resolveFields,
  resolveLocale,
  resolveSiteIds,
  resolveStates,
  resolveTypeIds,
  typeOfFields,
  type EntryCondition,
} from './entry-filters.js';
import { ReferenceListRepository } from './reference-list.repository.js';

/** Counts of a list by value, for each facet asked for. */
function facetsOf(
  catalog: Catalog,
  groups: readonly ListGroup[],
  facets: readonly EntryFacet[],
): NonNullable<EntryListMeta['facets']> {
  const countBy = (valueOf: (group: ListGroup) => string | undefined): Record<string, number> => {
    const counts = new Map<string, number>();
    for (const group of groups) {
      const value = valueOf(group);
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + group.count);
    }
    return Object.fromEntries(counts);
  };
  return {
    ...(facets.includes('status') && { status: countBy(({ status }) => status) }),
    ...(facets.includes('workflowState') && {
      workflowState: countBy((group) => {
        const workflow = catalog.workflowOf(group);
        return workflow && (group.state ?? workflow.baseState);
      }),
    }),
  };
}

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

const everything: Omit<EntryQuery, 'contentTypeIds' | 'locale' | 'forAll' | 'conditions' | 'limit'> = {
  siteIds: null,
  treeParentIds: null,
  statuses: null,
  states: null,
  assigneeIds: null,
  externalIds: null,
  titleContains: null,
  createdBy: null,
  updatedBy: null,
  updatedAfter: null,
  updatedBefore: null,
  hasSchedule: null,
  isDeleted: false,
  orderBy: 'createdAt:asc',
  offset: 0,
};

/** Finds drafts that the caller reads. @param locale null is the site default */
export const draftTargets =
  (work: UnitOfWork, catalog: Catalog, locale: string | null): FindTargets =>
  (type, conditions, limit) =>
    work.use(EntryListRepository).ids({
      ...everything,
      contentTypeIds: [type.id],
      locale,
      forAll: catalog.typesForAllAmong([type.id]),
      conditions: entryConditions(type, conditions),
      limit: limit + 1,
    });

async function entryWhere(
  work: UnitOfWork,
  { where, contentTypeApiName, locale }: InputOf<typeof entries.list>,
): Promise<EntryCondition[]> {
  if (where === undefined) return [];
  const catalog = await work.use(CatalogRepository).current();
  const type = (): ContentTypeDefinition => typeOfFields(catalog, contentTypeApiName, ['where']);
  const find = draftTargets(work, catalog, resolveLocale(catalog, locale));
  return entryConditions(type(), await whereConditions(where, { catalog, type }, find));
}

export async function listEntries(
  work: UnitOfWork,
  given: InputOf<typeof entries.list>,
): Promise<{ data: Entry[]; meta: EntryListMeta }> {
  const input = await applyView(work, 'entries', given);
  const { facets: facetsAsked, ...listed } = input;
  const page = openPage(listed, { name: 'entries', scope: work.scope });
  const catalog = await work.use(CatalogRepository).current();
  const contentTypeIds = resolveTypeIds(catalog, input.contentTypeApiName);
  const fields = resolveFields(catalog, input);
  const where = await entryWhere(work, input);
  const query: EntryQuery = {
    contentTypeIds,
    siteIds: resolveSiteIds(catalog, input.siteId),
    treeParentIds: await work.use(EntryTreeRepository).nodeIds(input.treeParentId),
    locale: resolveLocale(catalog, input.locale),
    forAll: catalog.typesForAllAmong(contentTypeIds),
    statuses: input.status ?? null,
    states: resolveStates(catalog, input.workflowState),
    assigneeIds: input.assigneeId ?? null,
    externalIds: input.externalId ?? null,
    titleContains: input.q ?? null,
    createdBy: input.createdBy ?? null,
    updatedBy: input.updatedBy ?? null,
    updatedAfter: timeOf(input.updatedAfter),
    updatedBefore: timeOf(input.updatedBefore),
    hasSchedule: input.hasSchedule ?? null,
    isDeleted: input.deleted ?? false,
    ...fields,
    conditions: [...fields.conditions, ...where],
    ...page.window,
  };
  const repository = work.use(EntryListRepository);
  const found = await repository.list(query);
  const items = found.items.map((entry) => presentEntry(entry, entry.shownLocale, catalog));
  const { data, meta } = page.envelope({ ...found, items });
  if (facetsAsked === undefined) return { data, meta };
  const facets = facetsOf(catalog, await repository.groups(query), facetsAsked);
  return { data, meta: { ...meta, facets } };
}

export async function listEntryReferences(
  work: UnitOfWork,
  input: InputOf<typeof entries.listReferences>,
): Promise<{ data: EntryReference[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { id } = await work.use(EntryRepository).find(input.id, noValues);
  const { items, total } = await work
    .use(ReferenceListRepository)
    .list(id, { limit: input.limit, offset: (input.page - 1) * input.limit });
  const references = items.map(({ contentTypeId, fieldId, ...reference }) => {
    const type = catalog.contentTypeById(contentTypeId);
    return {
      ...reference,
      contentTypeApiName: type?.apiName ?? '',
      fieldApiName: catalog.fieldById(fieldId)?.apiName ?? '',
    };
  });
  return listEnvelope({ items: references, total }, input);
}
