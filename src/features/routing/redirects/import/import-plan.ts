import { limits } from '../../../../../contracts/limits.js';
import type { RedirectImportIssue } from '../../../../../contracts/routing/redirects/redirect.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import type { ImportRow } from './parse-row.js';
import { parsePaths } from '../redirect-rule.js';
import { editable, type RedirectRow } from '../redirect.repository.js';

/** `before` is null for a new redirect. */
export interface PlannedRow {
  readonly line: number;
  readonly before: RedirectRow | null;
  readonly after: RedirectRow;
}

export interface ImportPlan {
  readonly changes: PlannedRow[];
  readonly issues: RedirectImportIssue[];
  skipped: number;
}

export interface PlanParts {
  readonly rows: readonly ImportRow[];
  /** By {@link rowKey}. */
  readonly existing: ReadonlyMap<string, RedirectRow>;
  /** Number of patterns by site. */
  readonly patternCounts: ReadonlyMap<string, number>;
  /** Skips existing redirects. */
  readonly createsOnly: boolean;
  readonly now: Date;
  newId(): string;
}

/** Redirects are unique by site, locale and source. */
export function rowKey({
  siteId,
  locale,
  source,
}: Pick<RedirectRow, 'siteId' | 'locale' | 'source'>): string {
  return `${siteId} ${locale ?? ''} ${source}`;
}

function newRow(
  { siteId, source, target, locale, given }: ImportRow,
  { now, newId }: PlanParts,
): RedirectRow {
  return {
    id: newId(),
    siteId,
    source,
    target,
    locale,
    status: 301,
    matchType: 'exact',
    queryMatch: 'ignore',
    isActive: true,
    note: null,
    ...given,
    origin: 'import',
    hitCount: 0,
    lastHitAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

class Planner {
  readonly plan: ImportPlan = { changes: [], issues: [], skipped: 0 };
  readonly #lines = new Map<string, number>();
  readonly #patterns: Map<string, number>;

  constructor(private readonly parts: PlanParts) {
    this.#patterns = new Map(parts.patternCounts);
  }

  add(row: ImportRow): void {
    const key = rowKey(row);
    const first = this.#lines.get(key);
    if (first !== undefined) {
      this.#reject(row, 'redirect_conflict', `Line ${first} names the same redirect.`);
      return;
    }
    this.#lines.set(key, row.line);
    const before = this.parts.existing.get(key) ?? null;
    const after = before === null ? newRow(row, this.parts) : this.#merge(before, row);
    if (before !== null && (this.parts.createsOnly || isEqualJson(editable(before), editable(after))))
      this.plan.skipped += 1;
    else this.#write({ line: row.line, before, after });
  }

  #merge(before: RedirectRow, { target, given }: ImportRow): RedirectRow {
    return { ...before, ...given, target, updatedAt: this.parts.now };
  }

  #write(change: PlannedRow): void {
    const { line, before, after } = change;
    // The row may omit the match type, so paths are checked after merging.
    const checked = parsePaths(after);
    if (!('source' in checked)) {
      this.#reject(change, checked[0]?.code ?? 'invalid_row', checked[0]?.message ?? '');
    } else if (after.matchType === 'regex' && before?.matchType !== 'regex' && !this.#hasRoom(after)) {
      this.#reject(change, 'limit_reached', `A site has at most ${limits.redirectPatternsPerSite} patterns.`);
    } else this.plan.changes.push({ line, before, after });
  }

  #hasRoom({ siteId }: RedirectRow): boolean {
    const count = this.#patterns.get(siteId) ?? 0;
    if (count >= limits.redirectPatternsPerSite) return false;
    this.#patterns.set(siteId, count + 1);
    return true;
  }

  #reject({ line }: { readonly line: number }, code: string, message: string): void {
    this.plan.issues.push({ line, code, message });
  }
}

export async function planImport(parts: PlanParts): Promise<ImportPlan> {
  const planner = new Planner(parts);
  const turns = new Turns();
  for (const row of parts.rows) {
    planner.add(row);
    await turns.pause();
  }
  return planner.plan;
}
