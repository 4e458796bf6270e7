import { type VerbName, grantsFor } from '../../../../access/grants.js';
import type { WorkScope } from '../../../../persistence/work/unit-of-work.js';
import { reachedEntries, type Bind } from '../../../shared/readable-entries.js';
import type { Page } from '../../../../../contracts/envelopes.js';
import type { governance } from '../../../../../contracts/insight/governance/governance.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { DetectorName } from '../../../../../contracts/insight/governance/governance.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { StoredIssue } from '../findings/stored-issue.js';

const limits = ['siteIds', 'contentTypes', 'treeNodeIds', 'ownOnly'] as const;

/**
 * SQL condition for issues `i` that the verb reaches; null if all. `$1` is the environment. Issues about entries are
 * for those who may read the entry, the others for those whose permission is not limited to some entries.
 */
function reachedIssues(
  scope: WorkScope,
  verb: Extract<VerbName, `governance.${string}`>,
  bind: Bind,
): string | null {
  if (scope.grants === null) return null;
  const isWhole = grantsFor(scope, verb).some((grant) =>
    limits.every((key) => grant.scope[key] === undefined),
  );
  const conditions = ([verb, 'entries.read'] as const)
    .map((one) => reachedEntries(scope, one, { alias: 'e', bind }))
    .filter((condition) => condition !== null);
  if (isWhole && conditions.length === 0) return null;
  const reached = ['', ...conditions].join(' AND ');
  return `CASE i.subject_type WHEN 'entry' THEN EXISTS (SELECT FROM entries e
      WHERE e.environment_id = $1 AND e.id = i.subject_id${reached}) ELSE ${String(isWhole)} END`;
}

const columns = `i.id, i.detector, i.severity, i.status, i.subject_type AS "subjectType", i.subject_id AS "subjectId",
  i.subject_name AS "subjectName", i.message, i.evidence, i.fingerprint, i.count, i.first_seen_at AS "firstSeenAt",
  i.last_seen_at AS "lastSeenAt", i.resolved_at AS "resolvedAt", i.resolved_by AS "resolvedBy", i.note`;

/** Keys as in {@link StoredIssue}. */
const given = `jsonb_to_recordset($3::jsonb) AS g (id uuid, detector text, severity text, status text, "subjectType" text,
  "subjectId" uuid, "subjectName" text, message text, evidence jsonb, fingerprint text, count integer,
  "firstSeenAt" timestamptz, "lastSeenAt" timestamptz, "resolvedAt" timestamptz, "resolvedBy" jsonb, note text)`;

type ListQuery = Omit<InputOf<typeof governance.listIssues>, 'projectSlug'>;

export interface OpenCount {
  readonly detector: string;
  readonly severity: string;
  readonly issues: number;
}

const filters = {
  severity: 'i.severity = ANY(?::text[])',
  status: 'i.status = ANY(?::text[])',
  detector: 'i.detector = ANY(?::text[])',
  subjectId: 'i.subject_id = ANY(?::uuid[])',
} as const;

/** Issues of the environment. */
export class IssueRepository extends Repository {
  /** Those that the caller may read. */
  async list(query: ListQuery): Promise<Page<StoredIssue>> {
    const bound: unknown[] = [this.environmentId];
    const bind = (value: unknown): string => `$${String(bound.push(value))}`;
    const where = Object.entries(filters).flatMap(([name, condition]) => {
      const values = query[name as keyof typeof filters];
      return values === undefined ? [] : [condition.replace('?', bind(values))];
    });
    const reached = reachedIssues(this.bound.scope, 'governance.read', bind);
    if (reached !== null) where.push(reached);
    const matching = `FROM governance_issues i WHERE ${['i.environment_id = $1', ...where].join(' AND ')}`;
    const [key, direction] = query.orderBy.split(':') as ['lastSeenAt' | 'firstSeenAt', 'asc' | 'desc'];
    const order = `${key === 'lastSeenAt' ? 'i.last_seen_at' : 'i.first_seen_at'} ${direction}, i.id ${direction}`;
    const counted = [...bound];
    const window = `LIMIT ${bind(query.limit)} OFFSET ${bind((query.page - 1) * query.limit)}`;
    const [items, [count]] = await Promise.all([
      this.query<StoredIssue>(`SELECT ${columns} ${matching} ORDER BY ${order} ${window}`, bound),
      this.query<{ total: number }>(`SELECT count(*)::int AS total ${matching}`, counted),
    ]);
    return { items, total: count?.total ?? 0 };
  }

  /** Open issues that the caller may read. */
  async countOpen(): Promise<OpenCount[]> {
    const bound: unknown[] = [this.environmentId];
    const bind = (value: unknown): string => `$${String(bound.push(value))}`;
    const reached = reachedIssues(this.bound.scope, 'governance.read', bind);
    return this.query<OpenCount>(
      `SELECT i.detector, i.severity, count(*)::int AS issues FROM governance_issues i
       WHERE i.environment_id = $1 AND i.status = 'open'${reached === null ? '' : ` AND ${reached}`}
       GROUP BY 1, 2 ORDER BY 1, 2`,
      bound,
    );
  }

  /** Locks an issue that the caller may read or change; `isReached` if they may change it. */
  async lock(id: string): Promise<(StoredIssue & { readonly isReached: boolean }) | undefined> {
    if (!isUuid(id)) return undefined;
    const bound: unknown[] = [this.environmentId, id];
    const bind = (value: unknown): string => `$${String(bound.push(value))}`;
    const readable = reachedIssues(this.bound.scope, 'governance.read', bind) ?? 'true';
    const reached = reachedIssues(this.bound.scope, 'governance.update', bind) ?? 'true';
    const [issue] = await this.query<StoredIssue & { isReached: boolean }>(
      `SELECT ${columns}, ${reached} AS "isReached" FROM governance_issues i
       WHERE i.environment_id = $1 AND i.id = $2 AND (${readable} OR ${reached}) FOR NO KEY UPDATE OF i`,
      bound,
    );
    return issue;
  }

  /** For the statements of a detector. */
  async allowScan(seconds: number): Promise<void> {
    await this.allowTime(seconds);
  }

  /** Ids of the subjects of a detector whose issues are not resolved. */
  async subjectsOf(detector: DetectorName): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT subject_id AS id FROM governance_issues WHERE environment_id = $1 AND detector = $2 AND status <> 'resolved'`,
      [this.environmentId, detector],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the issues of these detectors that are not resolved or have one of the subjects. */
  async lockAll(detectors: readonly DetectorName[], subjectIds: readonly string[]): Promise<StoredIssue[]> {
    return this.query<StoredIssue>(
      `SELECT ${columns} FROM governance_issues i WHERE i.environment_id = $1 AND i.detector = ANY($2::text[])
         AND (i.status <> 'resolved' OR i.subject_id = ANY($3::uuid[])) ORDER BY i.id FOR NO KEY UPDATE OF i`,
      [this.environmentId, [...detectors], [...subjectIds]],
    );
  }

  async insert(issues: readonly StoredIssue[]): Promise<void> {
    if (issues.length === 0) return;
    await this.query(
      `INSERT INTO governance_issues (tenant_id, environment_id, id, detector, severity, status, subject_type, subject_id,
         subject_name, message, evidence, fingerprint, count, first_seen_at, last_seen_at)
       SELECT $1, $2, id, detector, severity, status, "subjectType", "subjectId", "subjectName", message, evidence,
         fingerprint, count, "firstSeenAt", "lastSeenAt" FROM ${given}`,
      [this.tenantId, this.environmentId, JSON.stringify(issues)],
    );
  }

  async update(issues: readonly StoredIssue[]): Promise<void> {
    if (issues.length === 0) return;
    await this.query(
      `UPDATE governance_issues i SET severity = g.severity, status = g.status, subject_name = g."subjectName",
         message = g.message, evidence = g.evidence, fingerprint = g.fingerprint, count = g.count,
         last_seen_at = g."lastSeenAt", resolved_at = g."resolvedAt", resolved_by = nullif(g."resolvedBy", 'null'), note = g.note
       FROM ${given} WHERE i.tenant_id = $1 AND i.environment_id = $2 AND i.id = g.id`,
      [this.tenantId, this.environmentId, JSON.stringify(issues)],
    );
  }

  /** Deletes issues that were resolved before a time. */
  async prune(before: Date): Promise<void> {
    await this.query(
      `DELETE FROM governance_issues WHERE environment_id = $1 AND status = 'resolved' AND resolved_at < $2`,
      [this.environmentId, before],
    );
  }

  /** @param isAlong whether it changed along with what the call names */
  note(
    action: 'open' | 'reopen' | 'resolve' | 'acknowledge',
    { before, after, isAlong }: { before: StoredIssue | null; after: StoredIssue; isAlong: boolean },
  ): void {
    const { id, detector } = after;
    this.record({
      action: `governance_issue.${action}`,
      target: { type: 'governance_issue', id, name: detector },
      before: before && shownIn(before),
      after: shownIn(after),
      isAlong,
    });
  }
}

const shownIn = ({ detector, status, subjectType, subjectId, evidence, note }: StoredIssue) => ({
  detector,
  status,
  subject: { type: subjectType, id: subjectId },
  evidence,
  note,
});
