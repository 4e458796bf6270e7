import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { RedirectImportIssue } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { findImportLoops, type Leftovers } from './import-loops.js';
import { planImport, type PlannedRow } from './import-plan.js';
import { importRow, type ImportPlace, type ImportRow } from './import-row.js';
import type { CsvRow } from './read-redirect-csv.js';
import { RedirectRepository } from '../redirect.repository.js';
import { RedirectImportRepository } from './redirect-import.repository.js';

type Input = InputOf<typeof redirects.import>;

/** What an import will write, and what comes of the rows. */
export interface DecidedImport {
  readonly changes: readonly PlannedRow[];
  readonly issues: readonly RedirectImportIssue[];
  readonly skipped: number;
  readonly leftovers: Leftovers;
}

const nothingReplaced: ReadonlySet<string> = new Set();

/** Takes out what would make a loop. Then nothing is deleted, so what stays is looked at again. */
async function withoutLoops(
  work: UnitOfWork,
  place: ImportPlace,
  decided: DecidedImport,
): Promise<DecidedImport> {
  const loops = await findImportLoops(work, place.catalog, decided);
  if (loops.size === 0) return decided;
  const [looping, sound] = [true, false].map((isLooping) =>
    decided.changes.filter(({ after }) => loops.has(after.id) === isLooping),
  );
  const issues = (looping ?? []).map(({ line, after }) => ({
    line,
    code: 'redirect_loop',
    message: `From ${after.source} to ${after.target} the redirects would go in a circle.`,
  }));
  const rest = {
    ...decided,
    changes: sound ?? [],
    issues: [...decided.issues, ...issues],
    leftovers: { ...decided.leftovers, replacedSiteIds: nothingReplaced },
  };
  return decided.leftovers.replacedSiteIds.size > 0 ? withoutLoops(work, place, rest) : rest;
}

/** Decides what becomes of every row; with `replace` and a row that fails, nothing is deleted. */
export async function decideImport(
  work: UnitOfWork,
  file: { readonly rows: readonly CsvRow[]; readonly input: Pick<Input, 'mode' | 'siteId'> },
  place: ImportPlace,
): Promise<DecidedImport> {
  const { mode, siteId } = file.input;
  const read = file.rows.map((row) => importRow(row, place));
  const rows = read.filter((row): row is ImportRow => !('code' in row));
  const siteIds = new Set(rows.map((row) => row.siteId));
  if (siteId !== undefined && place.defaultSite !== undefined) siteIds.add(place.defaultSite.id);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  const existing = await work.use(RedirectImportRepository).named(rows);
  const plan = planImport({
    rows,
    existing,
    patternCounts: await redirects.patternCounts([...siteIds]),
    createsOnly: mode === 'create',
    now: work.now,
    newId: () => work.newId(),
  });
  const issues = [...read.filter((row) => 'code' in row), ...plan.issues];
  return withoutLoops(work, place, {
    ...plan,
    issues,
    leftovers: {
      replacedSiteIds: mode === 'replace' && issues.length === 0 ? siteIds : nothingReplaced,
      namedIds: new Set([...existing.values()].map(({ id }) => id)),
    },
  });
}
