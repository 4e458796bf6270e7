import { z } from 'zod';

/** Everything that a project tells the outside, by what it is about (decisions 2.20). */
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

/** Names of the events: `entry.published`. */
export const webhookEventNames: readonly string[] = Object.entries(eventVerbs).flatMap(([subject, verbs]) =>
  verbs.map((verb) => `${subject}.${verb}`),
);

/** The event of a test fire that names none. */
export const TEST_EVENT = 'webhook.test';

const wholeSubjects = Object.keys(eventVerbs).map((subject) => `${subject}.*`);

/** The name of one event. */
export const WebhookEventName = z
  .enum(webhookEventNames as [string, ...string[]])
  .meta({ description: 'Name of an event.', example: 'entry.published' });

/** What a webhook asks for: an event, all of a subject, or all. */
export const WebhookEventPattern = z.enum(['*', ...wholeSubjects, ...webhookEventNames]).meta({
  description: 'An event, `entry.*` for all of a subject, `*` for all.',
  example: 'entry.published',
});
