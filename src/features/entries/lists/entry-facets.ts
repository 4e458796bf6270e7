import type { EntryFacet, EntryListMeta } from '../../../../contracts/resources/entry.js';
import type { Catalog } from '../../../content/catalog.js';
import type { ListGroup } from './entry-list.repository.js';

/** Counts of a list by value, for each facet asked for. */
export function facetsOf(
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
