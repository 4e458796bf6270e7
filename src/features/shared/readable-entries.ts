import { grantsFor, type Grant, type VerbName } from '../../access/grants.js';
import type { WorkScope } from '../../persistence/work/unit-of-work.js';

/** Adds a value and returns its placeholder. */
export type Bind = (value: unknown) => string;

function conditionOf(
  { scope }: Grant,
  alias: string,
  { bind, actorId }: { bind: Bind; actorId: string },
): string {
  const { contentTypes, siteIds, treeNodeIds, ownOnly } = scope;
  const conditions = [
    contentTypes && `${alias}.content_type_id = ANY(${bind(contentTypes)}::uuid[])`,
    siteIds && `${alias}.site_id = ANY(${bind(siteIds)}::uuid[])`,
    treeNodeIds &&
      `${alias}.id IN (WITH RECURSIVE below AS (
         SELECT id, entry_id FROM tree_nodes WHERE environment_id = $1 AND id = ANY(${bind(treeNodeIds)}::uuid[])
         UNION
         SELECT c.id, c.entry_id FROM below b CROSS JOIN LATERAL (SELECT n.id, n.entry_id FROM tree_nodes n
           WHERE n.environment_id = $1 AND n.parent_id = b.id OFFSET 0) c)
       SELECT entry_id FROM below WHERE entry_id IS NOT NULL)`,
    ownOnly && `${alias}.created_by_id = ${bind(actorId)}`,
  ];
  return conditions.filter((condition) => condition !== undefined).join(' AND ');
}

/**
 * SQL condition for entries that the verb reaches; null if all. `$1` is the environment.
 * @param alias of `entries`
 */
export function reachedEntries(
  scope: WorkScope,
  verb: VerbName,
  { alias, bind }: { alias: string; bind: Bind },
): string | null {
  if (scope.grants === null) return null;
  const grants = grantsFor(scope, verb);
  const limited = ['contentTypes', 'siteIds', 'treeNodeIds', 'ownOnly'] as const;
  if (grants.some((grant) => limited.every((key) => grant.scope[key] === undefined))) return null;
  if (grants.length === 0) return 'false';
  const context = { bind, actorId: scope.actor.id ?? '' };
  return `(${grants.map((grant) => `(${conditionOf(grant, alias, context)})`).join(' OR ')})`;
}

/** SQL condition for entries the actor can read; null if all. */
export const readableEntries = (scope: WorkScope, alias: string, bind: Bind): string | null =>
  reachedEntries(scope, 'entries.read', { alias, bind });

export const readsEveryEntry = (scope: WorkScope): boolean => readableEntries(scope, 'e', () => '') === null;
