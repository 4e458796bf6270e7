import { withWarnings, type Warned, type Warning } from '../../../../../contracts/envelopes.js';
import type { redirects } from '../../../../../contracts/routing/redirects/redirects.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Action } from '../../../../../contracts/rights.js';
import type {
  RedirectImportReport,
  RedirectExport,
  RedirectImportIssue,
} from '../../../../../contracts/routing/redirects/redirect.js';
import { authorize } from '../../../../access/authorize.js';
import { anyValue } from '../../../../access/grants.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import type { ImportContext } from './parse-row.js';
import { readRedirectCsv, type RedirectCsv, writeRedirectCsv } from './redirect-csv.js';
import { hasLiteralWildcard, redirectWarnings, findSite } from '../rules/redirect.policy.js';
import { mayImport, readableSiteIds, filterOf } from '../rules/redirects.js';
import { RedirectImportRepository, type OtherRedirects } from './redirect-import.repository.js';
import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { RedirectRepository } from '../redirect.repository.js';
import { type PlannedRow, planImport } from './import-plan.js';
import { findLoops } from '../rules/redirect-loops.js';
import { RedirectRulesRepository } from '../rules/redirect-rules.repository.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import { parseRow, type ImportRow } from './parse-row.js';
import type { CsvRow } from './redirect-csv.js';

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

interface ImportDecision {
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
async function decideImport(
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

/** Bounds the response to a file of patterns without their match type. */
const MAXIMUM_LITERAL = 20;

const actionsOf = {
  create: ['create'],
  upsert: ['create', 'update'],
  replace: ['create', 'update', 'delete'],
} as const satisfies Record<Input['mode'], readonly Action[]>;

function contextOf(work: UnitOfWork, catalog: Catalog, { siteId, mode }: Input): ImportContext {
  const mayWrite = (id: string, locale: string | null): boolean =>
    mayImport(work, { siteId: id, locales: [locale] }, actionsOf[mode]);
  if (siteId !== undefined) {
    const site = findSite(catalog, siteId);
    authorize(work, 'redirects.create', { siteId: site.id, ...anyValue });
    return { catalog, defaultSite: site, mayWrite };
  }
  const { sites } = catalog.data;
  return { catalog, defaultSite: sites.length === 1 ? sites[0] : undefined, mayWrite };
}

function reportOf(
  input: Input,
  counts: { readonly total: number; readonly deleted: number },
  { changes, issues, skipped }: ImportDecision,
): RedirectImportReport {
  const created = changes.filter(({ before }) => before === null).length;
  return {
    total: counts.total,
    created,
    updated: changes.length - created,
    skipped,
    failed: issues.length,
    deleted: counts.deleted,
    errors: [...issues].sort((a, b) => a.line - b.line),
    dryRun: input.dryRun,
  };
}

function warningsOf({ mode }: Input, file: RedirectCsv, { issues, changes }: ImportDecision): Warning[] {
  const unknown = file.unknownColumns.map((column) => ({
    code: 'unknown_column',
    message: `The column ${JSON.stringify(column)} was ignored.`,
  }));
  const literal = changes.filter(({ after }) => hasLiteralWildcard(after)).slice(0, MAXIMUM_LITERAL);
  const warnings = [...unknown, ...literal.flatMap(({ after }) => redirectWarnings(after))];
  if (mode !== 'replace' || issues.length === 0) return warnings;
  return [...warnings, { code: 'nothing_deleted', message: 'Rows failed, so no redirect was deleted.' }];
}

async function write(
  work: UnitOfWork,
  { changes, scope }: ImportDecision,
  outcome: { readonly report: RedirectImportReport; readonly mode: string; readonly others: OtherRedirects },
): Promise<void> {
  const { report, mode, others } = outcome;
  const { created, updated, deleted } = report;
  if (created + updated + deleted === 0) return;
  const redirects = work.use(RedirectImportRepository);
  if (deleted > 0) await redirects.removeOthers([...scope.replacedSiteIds], [...scope.namedIds]);
  await redirects.writeAll(changes.map(({ after }) => after));
  redirects.note({ report, mode, changes, deleted: others.first });
  const siteIds = new Set([...changes.map(({ after }) => after.siteId), ...scope.replacedSiteIds]);
  work.emit({ type: 'redirect.imported', data: { mode, created, updated, deleted, siteIds: [...siteIds] } });
}

/** One transaction: invalid rows are reported, all others are written. */
export async function importRedirects(work: UnitOfWork, input: Input): Promise<Warned<RedirectImportReport>> {
  for (const action of actionsOf[input.mode]) authorize(work, `redirects.${action}`);
  const context = contextOf(work, await work.use(CatalogRepository).current(), input);
  const file = await readRedirectCsv(input.csv);
  const decision = await decideImport(work, { rows: file.rows, input }, context);
  const { replacedSiteIds, namedIds } = decision.scope;
  const others =
    replacedSiteIds.size === 0
      ? { count: 0, first: [] }
      : await work.use(RedirectImportRepository).findOthers([...replacedSiteIds], [...namedIds]);
  const report = reportOf(input, { total: file.rows.length, deleted: others.count }, decision);
  if (!input.dryRun) await write(work, decision, { report, mode: input.mode, others });
  return withWarnings(report, warningsOf(input, file, decision));
}

export async function exportRedirects(
  work: UnitOfWork,
  input: InputOf<typeof redirects.export>,
): Promise<{ data: RedirectExport }> {
  const catalog = await work.use(CatalogRepository).current();
  const maximum = limits.redirectExportRows;
  const rows = await work
    .use(RedirectRepository)
    .export(filterOf(catalog, input, readableSiteIds(work)), maximum + 1);
  if (rows.length > maximum)
    throw new AppError('limit_reached', { maximum }, 'Too many redirects for one file. Add filters.');
  return { data: { csv: writeRedirectCsv(rows, catalog), fileName: `redirects-${input.projectSlug}.csv` } };
}
