import type {
  TranslationPriority,
  TranslationStatus,
} from '../../../../contracts/editorial/translations/translation.js';
import type { WorkScope } from '../../../persistence/work/unit-of-work.js';
import { reachedEntries, type Bind } from '../../shared/readable-entries.js';

/** Null filters match all. */
export interface TranslationQuery {
  readonly contentTypeIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  readonly locale: string | null;
  readonly statuses: readonly TranslationStatus[] | null;
  readonly assigneeIds: readonly string[] | null;
  readonly priorities: readonly TranslationPriority[] | null;
  readonly dueBefore: Date | null;
}

export const isWork = ({ assigneeIds, priorities, dueBefore }: TranslationQuery): boolean =>
  assigneeIds !== null || priorities !== null || dueBefore !== null;

const isOneOf = (
  column: string,
  given: readonly string[],
  { type, bind }: { type: string; bind: Bind },
): string =>
  given.length === 1
    ? `${column} = ${bind(given[0])}::${type}`
    : `${column} = ANY(${bind([...given])}::${type}[])`;

/** Condition for entries that both the entry and the translations permission reach; empty if all. */
export function reachedSql(scope: WorkScope, bind: Bind): string {
  const conditions = (['entries.read', 'translations.read'] as const)
    .map((verb) => reachedEntries(scope, verb, { alias: 'e', bind }))
    .filter((condition) => condition !== null);
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

export const reachesAll = (scope: WorkScope): boolean => reachedSql(scope, () => '') === '';

/**
 * Translations `t` that match; `$1` is the environment. Uses `=` for single values, so that indexes and their order
 * apply.
 */
export function matchingTranslations(scope: WorkScope, query: TranslationQuery, bind: Bind): string {
  const { locale, statuses, contentTypeIds, siteIds, assigneeIds, priorities, dueBefore } = query;
  const reached = reachedSql(scope, bind);
  const join =
    reached === '' ? '' : 'JOIN entries e ON e.environment_id = t.environment_id AND e.id = t.entry_id';
  const conditions = [
    't.environment_id = $1 AND NOT t.is_deleted',
    locale !== null && `t.locale = ${bind(locale)}`,
    statuses !== null && isOneOf('t.status', statuses, { type: 'text', bind }),
    contentTypeIds !== null && isOneOf('t.content_type_id', contentTypeIds, { type: 'uuid', bind }),
    siteIds !== null && isOneOf('t.site_id', siteIds, { type: 'uuid', bind }),
    assigneeIds !== null && isOneOf('t.assignee_id', assigneeIds, { type: 'uuid', bind }),
    priorities !== null && isOneOf('t.priority', priorities, { type: 'text', bind }),
    dueBefore !== null && `t.due_at < ${bind(dueBefore)}`,
  ].filter((condition) => condition !== false);
  return `FROM translations t ${join} WHERE ${conditions.join(' AND ')}${reached}`;
}
