import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { type PlannedRow, planImport } from './import-plan.js';
import { findLoops } from '../rules/redirect-loops.js';
import { RedirectRulesRepository } from '../rules/redirect-rules.repository.js';
import type { redirects } from '../../../../../contracts/routing/redirects/redirects.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { RedirectImportIssue } from '../../../../../contracts/routing/redirects/redirect.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import { parseRow, type ImportContext, type ImportRow } from './parse-row.js';
import type { CsvRow } from './redirect-csv.js';
import { RedirectRepository } from '../redirect.repository.js';
import { RedirectImportRepository } from './redirect-import.repository.js';

/** Stored redirects affected by an import. */
interface ImportScope {
  /** Sites whose unnamed redirects are deleted. */
  readonly replacedSiteIds: ReadonlySet<string>;
  /** Redirects in the file. */
  readonly namedIds: ReadonlySet<string>;
}

/** Ids of changes that create a loop. */
async function findImportLoops(
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

type Input = InputOf<typeof redirects.import>;

export interface ImportDecision {
  readonly changes: readonly PlannedRow[];
  readonly issues: readonly RedirectImportIssue[];
  readonly skipped: number;
  readonly scope: ImportScope;
}

const noSites: ReadonlySet<string> = new Set();

/** Removes rows that would create a loop. Nothing is deleted then, so the rest is checked again. */
async function removeLoops(
  work: UnitOfWork,
  context: ImportContext,
  decision: ImportDecision,
): Promise<ImportDecision> {
  const loops = await findImportLoops(work, context.catalog, decision);
  if (loops.size === 0) return decision;
  const [looping, harmless] = [true, false].map((isLooping) =>
    decision.changes.filter(({ after }) => loops.has(after.id) === isLooping),
  );
  const issues = (looping ?? []).map(({ line, after }) => ({
    line,
    code: 'redirect_loop',
    message: `The redirect from ${after.source} to ${after.target ?? ''} would create a loop.`,
  }));
  const rest = {
    ...decision,
    changes: harmless ?? [],
    issues: [...decision.issues, ...issues],
    scope: { ...decision.scope, replacedSiteIds: noSites },
  };
  return decision.scope.replacedSiteIds.size > 0 ? removeLoops(work, context, rest) : rest;
}

/** With `replace`, nothing is deleted if a row fails. */
export async function decideImport(
  work: UnitOfWork,
  file: { readonly rows: readonly CsvRow[]; readonly input: Pick<Input, 'mode' | 'siteId'> },
  context: ImportContext,
): Promise<ImportDecision> {
  const { mode, siteId } = file.input;
  const turns = new Turns();
  const read: (ImportRow | RedirectImportIssue)[] = [];
  for (const row of file.rows) {
    read.push(parseRow(row, context));
    await turns.pause();
  }
  const rows = read.filter((row): row is ImportRow => !('code' in row));
  const siteIds = new Set(rows.map((row) => row.siteId));
  if (siteId !== undefined && context.defaultSite !== undefined) siteIds.add(context.defaultSite.id);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  const existing = await work.use(RedirectImportRepository).findByKeys(rows);
  const plan = await planImport({
    rows,
    existing,
    patternCounts: await redirects.patternCounts([...siteIds]),
    createsOnly: mode === 'create',
    now: work.now,
    newId: () => work.newId(),
  });
  const issues = [...read.filter((row) => 'code' in row), ...plan.issues];
  return removeLoops(work, context, {
    ...plan,
    issues,
    scope: {
      replacedSiteIds: mode === 'replace' && issues.length === 0 ? siteIds : noSites,
      namedIds: new Set([...existing.values()].map(({ id }) => id)),
    },
  });
}
