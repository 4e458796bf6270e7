import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { PlannedRow } from './import-plan.js';
import { findLoops } from '../rules/redirect-loops.js';
import { RedirectRulesRepository } from '../rules/redirect-rules.repository.js';

/** What the changes of an import leave of what is stored. */
export interface ImportScope {
  /** Sites of which nothing stays but what the file names. */
  readonly replacedSiteIds: ReadonlySet<string>;
  /** Redirects that the file names. */
  readonly namedIds: ReadonlySet<string>;
}

/** Ids of changes that would make a loop, in all sites of an import. */
export async function findImportLoops(
  work: UnitOfWork,
  catalog: Catalog,
  plan: { readonly changes: readonly PlannedRow[]; readonly scope: ImportScope },
): Promise<ReadonlySet<string>> {
  const { changes, scope } = plan;
  const refused = new Set<string>();
  const switchedOff = new Set(changes.filter(({ after }) => !after.isActive).map(({ after }) => after.id));
  const active = changes.filter(({ after }) => after.isActive).map(({ after }) => after);
  for (const [siteId, rules] of Map.groupBy(active, (row) => row.siteId)) {
    const isSiteReplaced = scope.replacedSiteIds.has(siteId);
    const loops = await findLoops(work.use(RedirectRulesRepository).ofSite(siteId), {
      rules,
      locales: catalog.site(siteId)?.locales ?? [],
      isReplaced: ({ id }) => switchedOff.has(id) || (isSiteReplaced && !scope.namedIds.has(id)),
    });
    for (const id of loops) refused.add(id);
  }
  return refused;
}
