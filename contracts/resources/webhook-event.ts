import { z } from 'zod';

/** All events by resource (decisions 2.20). */
const eventVerbs = {
  entry: [
    'created',
    'updated',
    'published',
    'unpublished',
    'deleted',
    'restored',
    'moved',
    'workflow_changed',
    'scheduled',
    'schedule_canceled',
    'schedule_failed',
  ],
  content_type: ['created', 'updated', 'deleted'],
  media: ['created', 'updated', 'deleted', 'locale_updated'],
  tree: ['node_created', 'node_updated', 'node_moved', 'node_deleted'],
  redirect: ['created', 'updated', 'deleted', 'imported'],
  translation: ['updated', 'stale'],
  site: ['created', 'updated', 'deleted'],
  environment: ['created', 'promoted', 'deleted'],
  api_key: ['created', 'revoked'],
  governance: ['issue_opened'],
  release: ['published'],
  webhook: ['test'],
} as const;

/** In the form `entry.published`. */
export const webhookEventNames: readonly string[] = Object.entries(eventVerbs).flatMap(([subject, verbs]) =>
  verbs.map((verb) => `${subject}.${verb}`),
);

/** The default event of a test delivery. */
export const TEST_EVENT = 'webhook.test';

const wholeSubjects = Object.keys(eventVerbs).map((subject) => `${subject}.*`);

export const WebhookEventName = z
  .enum(webhookEventNames as [string, ...string[]])
  .meta({ description: 'Name of an event.', example: 'entry.published' });

/** An event, all events of a resource, or all. */
export const WebhookEventPattern = z.enum(['*', ...wholeSubjects, ...webhookEventNames]).meta({
  description: 'An event name, `entry.*` for all events of a resource, `*` for all events.',
  example: 'entry.published',
});
