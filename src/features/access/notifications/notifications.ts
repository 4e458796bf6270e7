import type { PageMeta } from '../../../../contracts/envelopes.js';
import { listEnvelope } from '../../../../contracts/envelopes.js';
import {
  notificationKinds,
  type MailTime,
  type Notification,
  type notifications,
  type NotificationKind,
  type NotificationSettings,
} from '../../../../contracts/access/notifications/notifications.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { isPermitted } from '../../../access/authorize.js';
import {
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
  type WorkScope,
} from '../../../persistence/work/unit-of-work.js';
import {
  OwnNotificationRepository,
  projectKinds,
  type NotifiedPlace,
  type StoredNotification,
} from './own-notification.repository.js';

/** The user who reads, with their present rights in each environment. */
export interface NotificationReader {
  readonly userId: string;
  readonly units: UnitOfWorkFactory;
  /** Undefined if they may not enter it. */
  scopeIn(projectSlug: string, environmentSlug: string): Promise<WorkScope | undefined>;
}

function present(
  { environmentId, at, readAt, ...shown }: StoredNotification,
  { projectSlug: slug, projectName: name, environmentSlug }: NotifiedPlace,
): Notification {
  return {
    ...shown,
    project: { slug, name },
    environment: environmentId === null ? null : environmentSlug,
    createdAt: at.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  };
}

/** In one environment, and of its project if it is the default one. */
async function readIn(
  { units, userId, scopeIn }: NotificationReader,
  place: NotifiedPlace,
): Promise<Notification[]> {
  const scope = await scopeIn(place.projectSlug, place.environmentSlug);
  if (scope?.environmentId !== place.environmentId) return [];
  const kinds = Object.entries(projectKinds)
    .filter(([, verb]) => isPermitted({ scope }, verb))
    .map(([kind]) => kind);
  const rows = await units.run({ scope, isReadOnly: true, lock: 'none' }, (work) =>
    work.use(OwnNotificationRepository).readable(userId, { ofProject: place.isDefault, kinds }),
  );
  return rows.map((row) => present(row, place));
}

/** Newest first: everything that the user may still read. */
export async function readableNotifications(reader: NotificationReader): Promise<Notification[]> {
  const platform = { scope: systemScope(), isReadOnly: true, lock: 'none' } as const;
  const places = await reader.units.run(platform, (work) =>
    work.use(OwnNotificationRepository).places(reader.userId),
  );
  const found: Notification[] = [];
  for (const place of places) found.push(...(await readIn(reader, place)));
  const key = ({ createdAt, id }: Notification): string => `${createdAt} ${id}`;
  return found.sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

export async function listNotifications(
  reader: NotificationReader,
  input: InputOf<typeof notifications.list>,
): Promise<{ data: Notification[]; meta: PageMeta & { unreadCount: number } }> {
  const all = await readableNotifications(reader);
  const unreadCount = all.filter(({ readAt }) => readAt === null).length;
  const items = all.filter(({ readAt }) => input.unread === undefined || input.unread === (readAt === null));
  const start = (input.page - 1) * input.limit;
  const page = listEnvelope({ items: items.slice(start, start + input.limit), total: items.length }, input);
  return { ...page, meta: { ...page.meta, unreadCount } };
}

export async function markNotificationsRead(
  work: UnitOfWork,
  { ids }: InputOf<typeof notifications.markRead>,
): Promise<{ data: { marked: number } }> {
  const marked = await work.use(OwnNotificationRepository).markRead(work.scope.actor.id ?? '', ids ?? null);
  return { data: { marked } };
}

const DEFAULT_MAIL: MailTime = 'daily';

const withDefaults = (mail: Partial<Record<NotificationKind, MailTime>>): NotificationSettings => ({
  mail: Object.fromEntries(
    notificationKinds.map((kind) => [kind, mail[kind] ?? DEFAULT_MAIL]),
  ) as NotificationSettings['mail'],
});

export async function getNotificationSettings(work: UnitOfWork): Promise<{ data: NotificationSettings }> {
  return {
    data: withDefaults(await work.use(OwnNotificationRepository).settings(work.scope.actor.id ?? '')),
  };
}

/** Equal settings write nothing. */
export async function updateNotificationSettings(
  work: UnitOfWork,
  { mail }: InputOf<typeof notifications.updateSettings>,
): Promise<{ data: NotificationSettings }> {
  const repository = work.use(OwnNotificationRepository);
  const before = withDefaults(await repository.settings(work.scope.actor.id ?? ''));
  const given = Object.entries(mail).filter(([, time]) => time !== undefined);
  const after = { mail: { ...before.mail, ...Object.fromEntries(given) } };
  if (notificationKinds.some((kind) => before.mail[kind] !== after.mail[kind]))
    await repository.saveSettings(before.mail, after.mail);
  return { data: after };
}
