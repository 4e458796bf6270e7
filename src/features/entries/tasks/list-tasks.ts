import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { tasks } from '../../../../contracts/entries/tasks/tasks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { TaskKind, type Task } from '../../../../contracts/entries/tasks/task.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { approvalRules, taskRules } from './task-rules.js';
import { TaskRepository, type StoredTask } from './task.repository.js';

interface Assignee {
  /** Null means every user. */
  readonly userId: string | null;
  readonly roleIds: readonly string[] | null;
}

/** @throws AppError 404 `user_not_found`; 422 for `me` of an API key */
async function assigneeOf(work: UnitOfWork, given: string | undefined): Promise<Assignee> {
  const { actor, roleIds = [] } = work.scope;
  if (given === undefined && actor.type !== 'user') return { userId: null, roleIds: null };
  const assigneeId = given ?? 'me';
  const userId = assigneeId === 'me' ? actor.id : assigneeId.toLowerCase();
  if (assigneeId === 'me' && (actor.type !== 'user' || userId === null)) {
    const message = 'API keys have no tasks. Name a user.';
    throw invalidInput({ path: ['assigneeId'], code: 'user_required', message });
  }
  if (userId === null || (actor.type === 'user' && userId === actor.id))
    return { userId: userId ?? '', roleIds };
  const known = await work.use(TaskRepository).rolesOf(userId);
  if (known === undefined) throw new AppError('user_not_found', { path: ['assigneeId'] });
  return { userId, roleIds: known };
}

function presentTask(catalog: Catalog, { contentTypeId, dueAt, state, ...task }: StoredTask): Task {
  const isOfWorkflow = task.kind === 'transition' || task.kind === 'approval';
  const workflow = isOfWorkflow ? catalog.workflowOf({ contentTypeId, siteId: task.siteId }) : undefined;
  return {
    ...task,
    contentTypeApiName: catalog.contentTypeById(contentTypeId)?.apiName ?? '',
    state: state ?? workflow?.baseState ?? null,
    dueAt: dueAt && new Date(dueAt).toISOString(),
  };
}

/** What waits for a user, of what the caller may read. */
export async function listTasks(
  work: UnitOfWork,
  input: InputOf<typeof tasks.list>,
): Promise<{ data: Task[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { userId, roleIds } = await assigneeOf(work, input.assigneeId);
  const { items, total } = await work.use(TaskRepository).list({
    userId,
    kinds: [...new Set(input.kind ?? TaskKind.options)],
    rules: taskRules(catalog),
    approvals: approvalRules(catalog, roleIds),
    isAscending: input.orderBy === 'dueAt:asc',
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  return listEnvelope({ items: items.map((task) => presentTask(catalog, task)), total }, input);
}
