import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { PlannedRow } from './import-plan.js';
import { findLoops } from '../rules/redirect-loops.js';
import { RedirectRulesRepository } from '../rules/redirect-rules.repository.js';

/** Stored redirects affected by an import. */
export interface ImportScope {
  /** Sites whose unnamed redirects are deleted. */
  readonly replacedSiteIds: ReadonlySet<string>;
  /** Redirects in the file. */
  readonly namedIds: ReadonlySet<string>;
}

/** Ids of changes that create a loop. */
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
