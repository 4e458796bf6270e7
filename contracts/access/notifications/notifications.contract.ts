import { z } from 'zod';
import { Actor } from '../../actor.js';
import { dataOf, PageMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id, paging, ScopeSlug, Timestamp } from '../../primitives.js';
import { account } from '../../procedure.js';

export const notificationKinds = [
  'assigned',
  'due',
  'mentioned',
  'replied',
  'approval_requested',
  'approved',
  'rejected',
  'schedule_failed',
  'webhook_disabled',
  'key_expiring',
  'orphaned',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

const NotificationKindShape = z.enum(notificationKinds).meta({
  description:
    '`assigned`, `due`: an entry or translation of the user. `mentioned`, `replied`: a comment. `approval_requested`: a role of the user approves. `approved`, `rejected`: what the user handed in. `schedule_failed`: a job of the user. `webhook_disabled`: after failures. `key_expiring`: within seven days. `orphaned`: schedules and webhooks whose key has ended.',
});

/** Rule access/notifications. */
export const Notification = z
  .object({
    id: Id,
    kind: NotificationKindShape,
    project: z
      .object({ slug: ScopeSlug, name: z.string() })
      .meta({ description: 'Project in which it happened.' }),
    environment: ScopeSlug.nullable().meta({ description: 'Null for what belongs to the project.' }),
    entryId: z.string().nullable(),
    locale: z.string().nullable().meta({ description: 'Null if it is about every locale.' }),
    field: z.string().nullable().meta({ description: 'Field that was commented on.' }),
    blockId: z.string().nullable().meta({ description: 'Block that has the field.' }),
    commentId: z.string().nullable(),
    subjectId: z
      .string()
      .nullable()
      .meta({ description: 'Id of the webhook, the API key or the scheduled job.' }),
    title: z.string().meta({ description: 'Title of the entry, or name of the webhook or key.' }),
    quote: z.string().nullable().meta({ description: 'First line of the comment or note.' }),
    actor: Actor,
    createdAt: Timestamp,
    readAt: Timestamp.nullable(),
  })
  .meta({ id: 'Notification', description: 'Something that happened and concerns the user.' });
export type Notification = z.infer<typeof Notification>;

const MailTime = z
  .enum(['immediately', 'daily', 'never'])
  .meta({ description: 'When it is sent by mail.', example: 'daily' });
export type MailTime = z.infer<typeof MailTime>;

const mailOf = <S extends z.ZodType>(shape: S) =>
  z.object(Object.fromEntries(notificationKinds.map((kind) => [kind, shape])) as Record<NotificationKind, S>);

export const NotificationSettings = z
  .object({ mail: mailOf(MailTime).meta({ description: 'By kind; `daily` unless it is set.' }) })
  .meta({ id: 'NotificationSettings', description: 'How the user hears of what happens.' });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

const tags = ['Notifications'];

export const notifications = {
  list: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me/notifications',
      summary: 'List your notifications',
      description: `Returns the notifications of the user in all projects, newest first, of the latest ${String(limits.notificationsPerUser)}. Those about what the user can no longer read are left out. They are kept for ${String(limits.notificationDays)} days.`,
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(
      z.strictObject({
        ...paging,
        unread: z
          .boolean()
          .optional()
          .meta({ description: 'Filter by whether it was not read.', example: true }),
      }),
    )
    .output(
      z.object({
        data: z.array(Notification),
        meta: PageMeta.extend({ unreadCount: z.int() }).meta({
          description: 'Pagination, and the number of all unread notifications.',
        }),
      }),
    ),

  markRead: account({
    openapi: {
      method: 'POST',
      path: '/api/v1/me/notifications/read',
      summary: 'Mark notifications as read',
      description:
        'Marks the notifications with these ids as read, or all. Unknown ids and those of other users do nothing. Leaves no audit record.',
      tags,
      bodyRule: { minProperties: 1, maxProperties: 1, examples: [{ all: true }] },
    },
    resource: 'sessions',
    action: 'update',
    changesNothing: true,
  })
    .input(
      z
        .strictObject({
          ids: z
            .array(z.uuid())
            .min(1)
            .max(100)
            .optional()
            .meta({
              description: 'Ids of notifications.',
              example: ['019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'],
            }),
          all: z.literal(true).optional().meta({ description: 'Mark all.', example: true }),
        })
        .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), 'Set either ids or all.'),
    )
    .output(
      dataOf(
        z.object({ marked: z.int().meta({ description: 'Number of notifications that were unread.' }) }),
      ),
    ),

  getSettings: account({
    openapi: {
      method: 'GET',
      path: '/api/v1/me/notification-settings',
      summary: 'Get your notification settings',
      description: 'Returns when each kind of notification is sent by mail.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
  })
    .input(z.strictObject({}))
    .output(dataOf(NotificationSettings)),

  updateSettings: account({
    openapi: {
      method: 'PUT',
      path: '/api/v1/me/notification-settings',
      summary: 'Update your notification settings',
      description:
        'Sets when kinds of notifications are sent by mail. Omitted kinds are unchanged. `daily` sends one mail a day at eight in the morning, with what is still unread. Applies to later notifications.',
      tags,
    },
    resource: 'sessions',
    action: 'update',
  })
    .input(
      z.strictObject({
        mail: mailOf(MailTime)
          .partial()
          .strict()
          .meta({ description: 'When to send mail, by kind.', example: { mentioned: 'immediately' } }),
      }),
    )
    .output(dataOf(NotificationSettings)),
};
