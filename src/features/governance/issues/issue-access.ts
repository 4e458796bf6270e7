import type { VerbName } from '../../../access/grants.js';
import { grantsFor } from '../../../access/grants.js';
import type { WorkScope } from '../../../persistence/work/unit-of-work.js';
import { reachedEntries, type Bind } from '../../shared/index.js';

const limits = ['siteIds', 'contentTypes', 'treeNodeIds', 'ownOnly'] as const;

/**
 * SQL condition for issues `i` that the verb reaches; null if all. `$1` is the environment. Issues about entries are
 * for those who may read the entry, the others for those whose permission is not limited to some entries.
 */
export function reachedIssues(
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
