import type { Actor } from '../../../../contracts/actor.js';
import { limits } from '../../../../contracts/limits.js';
import type { Catalog } from '../../../content/catalog.js';
import { initialState, type WorkflowDefinition } from '../../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { NotificationRepository, type Notice } from './notification.repository.js';

/** An event as the outbox has it. */
interface HappenedEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: {
    readonly actor: { readonly type: string; readonly id: string | null; readonly name: string };
    readonly data: Readonly<Record<string, unknown>>;
  };
}

interface Happened {
  readonly id: string;
  readonly actor: Actor;
  readonly data: Readonly<Record<string, unknown>>;
  readonly entryId: string;
  readonly locale: string | null;
}

const textIn = (data: Happened['data'], key: string): string | null => {
  const value = data[key];
  return typeof value === 'string' ? value : null;
};

const mention = /@\[([0-9a-f-]{36})\]/gi;

/** The first line of a text, with the names of those whom it mentions. */
async function lineOf(notices: NotificationRepository, text: string): Promise<string> {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const ids = [...line.matchAll(mention)].map(([, id = '']) => id.toLowerCase());
  const names = await notices.namesOf(ids);
  const shown = line.replace(mention, (whole, id: string) => {
    const name = names.get(id.toLowerCase());
    return name === undefined ? whole : `@${name}`;
  });
  const limit = limits.notificationQuoteLength;
  return shown.length <= limit ? shown : `${shown.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

type Found = Omit<Notice, 'actor' | 'entryId'>;

interface Anchor {
  readonly field: string;
  readonly block: string | null;
  readonly locale: string;
}

/** Those who are mentioned; for a new reply, also those who wrote in the thread. */
async function ofComment(
  notices: NotificationRepository,
  { data, locale }: Happened,
  isNew: boolean,
): Promise<Found[]> {
  const commentId = textIn(data, 'commentId');
  const parentId = textIn(data, 'parentId');
  const mentioned = (data.mentions ?? []) as readonly string[];
  const writers = isNew && parentId !== null ? await notices.writersIn(parentId) : [];
  const anchor = data.anchor as Anchor | null;
  const about = {
    commentId,
    locale: anchor?.locale ?? locale,
    field: anchor?.field ?? null,
    blockId: anchor?.block ?? null,
    quote: await lineOf(notices, textIn(data, 'text') ?? ''),
    dedupe: `comment:${commentId ?? ''}`,
  };
  return [
    ...mentioned.map((userId): Found => ({ userId, kind: 'mentioned', ...about })),
    ...writers
      .filter((userId) => !mentioned.includes(userId))
      .map((userId): Found => ({ userId, kind: 'replied', ...about })),
  ];
}

const ofAssignee = ({ id, data, locale }: Happened, userId: string | null): Found[] =>
  userId === null
    ? []
    : [{ userId, kind: 'assigned', locale, quote: textIn(data, 'comment'), dedupe: `assigned:${id}` }];

/** Transitions from a state that need approvals by roles. In its initial state an entry is not handed in yet. */
function approvalsFrom(workflow: WorkflowDefinition, state: string) {
  if (state === initialState(workflow)) return [];
  return workflow.transitions.filter(({ from, approvals }) => from === state && approvals !== null);
}

function workflowOf(catalog: Catalog, { data }: Happened): WorkflowDefinition | undefined {
  const type = catalog.contentType(textIn(data, 'contentTypeApiName') ?? '');
  const siteId = textIn(data, 'siteId');
  return type === undefined || siteId === null
    ? undefined
    : catalog.workflowOf({ contentTypeId: type.id, siteId });
}

/** Approvers of the state that was entered, and who handed in what left its state. */
async function ofWorkflow(
  notices: NotificationRepository,
  event: Happened,
  { workflow, isPending }: { workflow: WorkflowDefinition; isPending: boolean },
): Promise<Found[]> {
  const { id, data, entryId } = event;
  const [from, to] = [textIn(data, 'from') ?? '', textIn(data, 'to') ?? ''];
  const locale = workflow.perLocale ? event.locale : null;
  const about = { locale, quote: textIn(data, 'comment') };
  const found: Found[] = [];
  const left = approvalsFrom(workflow, from);
  if (left.length > 0) {
    const isApproved = left.some((one) => one.to === to);
    const handedIn = await notices.broughtBy(entryId, event.locale ?? '', from);
    const concerned = new Set([handedIn, textIn(data, 'assigneeId')].filter((one) => one !== null));
    const kind = isApproved ? 'approved' : 'rejected';
    for (const userId of concerned) found.push({ userId, kind, ...about, dedupe: `${kind}:${id}` });
  }
  if (isPending) return found;
  for (const { roleIds, approvals } of approvalsFrom(workflow, to)) {
    if (approvals === null || (roleIds.length === 0 && approvals.roleIds.length === 0)) continue;
    for (const userId of await notices.withRoles(roleIds, approvals.roleIds))
      found.push({ userId, kind: 'approval_requested', ...about, dedupe: `approval:${id}` });
  }
  return found;
}

async function foundIn(work: UnitOfWork, type: string, event: Happened): Promise<Found[]> {
  const notices = work.use(NotificationRepository);
  const { id, data, actor, locale, entryId } = event;
  switch (type) {
    case 'comment.created':
    case 'comment.updated':
      return ofComment(notices, event, type === 'comment.created');
    case 'entry.assigned':
      return ofAssignee(event, textIn(data, 'assigneeId'));
    case 'translation.updated': {
      const isAssigned = Array.isArray(data.changedFields) && data.changedFields.includes('assigneeId');
      return isAssigned ? ofAssignee(event, await notices.translatorOf(entryId, locale ?? '')) : [];
    }
    case 'entry.approved':
    case 'entry.workflow_changed': {
      const workflow = workflowOf(await work.use(CatalogRepository).current(), event);
      const isPending = type === 'entry.approved';
      return workflow === undefined ? [] : ofWorkflow(notices, event, { workflow, isPending });
    }
    case 'entry.schedule_failed': {
      const about = { locale, subjectId: textIn(data, 'jobId'), dedupe: `failed:${id}` };
      return actor.type === 'user' && actor.id !== null
        ? [{ userId: actor.id, kind: 'schedule_failed', ...about }]
        : [];
    }
    default:
      return [];
  }
}

const noted: ReadonlySet<string> = new Set([
  'comment.created',
  'comment.updated',
  'entry.assigned',
  'entry.approved',
  'entry.schedule_failed',
  'entry.workflow_changed',
  'translation.updated',
]);

const service: Actor = { type: 'system', id: null, name: 'Headwater' };

/** The user whose schedule of a release failed; none for a key's. */
function failedRelease(id: string, { actor, data }: HappenedEvent['payload']): Notice | undefined {
  const { type, id: userId } = actor as Actor;
  if (type !== 'user' || userId === null) return undefined;
  const about = { subjectId: textIn(data, 'releaseId'), title: textIn(data, 'name') ?? '' };
  return { userId, kind: 'schedule_failed', ...about, actor: service, dedupe: `failed:${id}` };
}

/** Notifies the users whom the events concern, but not of what they did themselves. */
export async function notifyOfEvents(work: UnitOfWork, events: readonly HappenedEvent[]): Promise<void> {
  const notices: Notice[] = [];
  for (const { id, type, payload } of events) {
    const failed = type === 'release.failed' ? failedRelease(id, payload) : undefined;
    if (failed !== undefined) notices.push(failed);
    if (!noted.has(type)) continue;
    const { data } = payload;
    const entryId = textIn(data, 'entryId');
    if (entryId === null) continue;
    const actor = payload.actor as Actor;
    const happened = { id, actor, data, entryId, locale: textIn(data, 'locale') };
    const isFailure = type === 'entry.schedule_failed';
    for (const found of await foundIn(work, type, happened))
      if (isFailure || found.userId !== actor.id)
        notices.push({ ...found, entryId, actor: isFailure ? service : actor });
  }
  await work.use(NotificationRepository).add(notices);
}

/** Notifies the owners of the project and the creator of a webhook that was disabled. */
export async function notifyOfDisabled(work: UnitOfWork, webhookId: string): Promise<void> {
  const notices = work.use(NotificationRepository);
  const { name, userId: creator } = await notices.creatorOf('webhooks', webhookId);
  const about = { kind: 'webhook_disabled', subjectId: webhookId, title: name, actor: service } as const;
  const dedupe = `disabled:${webhookId}:${work.now.toISOString()}`;
  await notices.add((await notices.owners(creator)).map((userId) => ({ userId, ...about, dedupe })));
}
