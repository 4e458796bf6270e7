import type { Actor } from '../../../../contracts/actor.js';
import type { Notification } from '../../../../contracts/access/notifications/notifications.contract.js';
import type { Catalog } from '../../../content/catalog.js';
import { stateOf } from '../../../content/workflow/workflow-definition.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import {
  CatalogRepository,
  EnvironmentListRepository,
  type EnvironmentHead,
} from '../../environments/catalog/index.js';
import { queueMail } from '../mail/index.js';
import { NotificationRepository, type DueAssignment, type Notice } from './notification.repository.js';
import { readableNotifications, type NotificationReader } from './notifications.js';
import { OwnNotificationRepository, type Recipient } from './own-notification.repository.js';

/** What became due longer ago is not told: the service did not run, or the work was assigned late. */
const DUE_HOURS = 24;
/** How long before its end a key is named. */
const KEY_DAYS = 7;
const PRUNE_BATCH = 5000;
/** Users who get mail in one look, and notifications in one mail. */
const RECIPIENTS = 100;
const MAILED = 50;

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;
const service: Actor = { type: 'system', id: null, name: 'Headwater' };

/** Whether the assignment still waits, as a task does (rule entries/tasks), and in which locale. */
function dueNotice(catalog: Catalog, due: DueAssignment): Notice | undefined {
  const workflow = due.isTranslation ? undefined : catalog.workflowOf(due);
  const isPerLocale = due.isTranslation || workflow?.perLocale === true;
  if (!isPerLocale && !due.isShown) return undefined;
  if (!due.isTranslation && due.status === 'published') {
    const state = workflow && stateOf(workflow, due.workflowState ?? workflow.baseState);
    if (workflow === undefined || state?.allowsPublish === true) return undefined;
  }
  const locale = isPerLocale ? due.locale : null;
  const what = due.isTranslation ? 'translation' : 'entry';
  const dedupe = ['due', what, due.entryId, locale ?? '', due.dueAt.toISOString()].join(':');
  return { userId: due.userId, kind: 'due', entryId: due.entryId, locale, actor: service, dedupe };
}

/** Where the app shows what a notification is about. */
function urlOf(baseUrl: string, notification: Notification): string {
  const { kind, project, environment, entryId, locale, commentId, subjectId, title } = notification;
  const place = `${baseUrl}/admin/${project.slug}`;
  if (kind === 'webhook_disabled' && subjectId !== null) return `${place}?webhook=${subjectId}`;
  if (kind === 'key_expiring' || kind === 'orphaned') return `${place}?key=${encodeURIComponent(title)}`;
  if (entryId === null || environment === null) return place;
  const search = new URLSearchParams({
    ...(locale !== null && { locale }),
    ...(commentId !== null && { panel: 'comments', thread: commentId }),
  }).toString();
  return `${place}/${environment}/entries/${entryId}${search === '' ? '' : `?${search}`}`;
}

async function notifyOfDue(work: UnitOfWork): Promise<void> {
  const notices = work.use(NotificationRepository);
  const due = await notices.due(new Date(work.now.getTime() - DUE_HOURS * 3_600_000));
  if (due.length === 0) return;
  const catalog = await work.use(CatalogRepository).current();
  await notices.add(due.flatMap((one) => dueNotice(catalog, one) ?? []));
}

async function notifyOfKeys(work: UnitOfWork): Promise<void> {
  const notices = work.use(NotificationRepository);
  for (const { id, name, creatorId, endsAt, isOver } of await notices.endingKeys(KEY_DAYS)) {
    const kind = isOver ? 'orphaned' : 'key_expiring';
    const dedupe = [kind, id, endsAt?.toISOString() ?? ''].join(':');
    const about = { kind, subjectId: id, title: name, actor: service, dedupe } as const;
    await notices.add((await notices.owners(creatorId)).map((userId) => ({ userId, ...about })));
  }
}

interface NotificationWorkParts {
  readonly units: UnitOfWorkFactory;
  /** URL of the service, without a final slash. */
  readonly baseUrl: string;
  /** The present rights of a user, in a project and environment. */
  scopeOf(userId: string): NotificationReader['scopeIn'];
  /** Receives the failure of one environment. */
  onError(error: unknown): void;
}

/** Finds what no call causes. Any number of processes may run it: a user hears of each thing once. */
export class NotificationWork {
  #isStopping = false;

  constructor(private readonly parts: NotificationWorkParts) {}

  /** Ends after the running environment. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Looks in every environment for what became due, and in every project for keys that end. */
  async run(): Promise<void> {
    const { units } = this.parts;
    const heads = await units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(EnvironmentListRepository).all(),
    );
    const projects = new Set<string>();
    for (const head of heads) {
      if (this.#isStopping) return;
      if (!head.tenantActive) continue;
      const isFirst = !projects.has(head.projectId);
      projects.add(head.projectId);
      await this.#lookIn(head, isFirst).catch(this.parts.onError);
    }
  }

  /** Sends each user what is due by mail, in one mail, without what they have read or may no longer read. */
  async sendMail(): Promise<number> {
    const { units, onError } = this.parts;
    const recipients = await units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(OwnNotificationRepository).recipients(RECIPIENTS),
    );
    for (const recipient of recipients) {
      if (this.#isStopping) break;
      await this.#mailTo(recipient).catch(onError);
    }
    return recipients.length;
  }

  async #mailTo({ id: userId, tenantId, email, name }: Recipient): Promise<void> {
    const { units, baseUrl, scopeOf } = this.parts;
    const readable = await readableNotifications({ userId, units, scopeIn: scopeOf(userId) });
    const scope = { ...systemScope(), isPlatform: false, tenantId };
    await units.run({ scope, isReadOnly: false, lock: 'none' }, async (work) => {
      const due = await work.use(OwnNotificationRepository).takeMail(userId);
      const items = readable.filter(({ id }) => due.has(id));
      const [first] = items;
      if (first === undefined) return;
      const lines = items.slice(0, MAILED).map((one) => ({
        kind: one.kind,
        title: one.title,
        quote: one.quote,
        actor: one.actor.name,
        url: urlOf(baseUrl, one),
      }));
      await queueMail(work, {
        kind: 'notifications',
        to: { email, name, userId },
        values: { count: items.length, lines: JSON.stringify(lines) },
        url: items.length === 1 ? urlOf(baseUrl, first) : `${baseUrl}/admin/`,
      });
    });
  }

  async prune(): Promise<void> {
    const { units } = this.parts;
    const batch = () => units.run(platform, (work) => work.use(NotificationRepository).prune(PRUNE_BATCH));
    while ((await batch()) === PRUNE_BATCH);
  }

  #lookIn(head: EnvironmentHead, isFirst: boolean): Promise<void> {
    const scope = systemScope({ address: addressOf(head) });
    return this.parts.units.run({ scope, isReadOnly: false, lock: 'none' }, async (work) => {
      await notifyOfDue(work);
      if (isFirst) await notifyOfKeys(work);
    });
  }
}
