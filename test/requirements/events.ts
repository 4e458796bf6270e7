import type { Requirement } from './requirement.js';

/** Events, webhooks and audit. */
export const events = {
  'events/webhooks': { source: 'events/webhooks', text: 'Webhooks: list, create, update, delete, test.' },
  'events/records': {
    source: 'events/records',
    text: 'Every mutation leaves one audit record with before and after.',
  },
  'events/records-with-cause': {
    source: 'events/records',
    text: 'Each changed thing has its record and event; those of one call share their cause.',
  },
  'events/audit-append-only': { source: 'events/audit', text: 'Audit records cannot be changed or deleted.' },
  'events/audit-read': {
    source: 'events/audit',
    text: 'audit-events tells who changed what from where, by filters and cursor.',
  },
  'events/audit-export': {
    source: 'events/audit',
    text: 'audit-events/export streams every event as NDJSON.',
  },
  'events/audit-chain': {
    source: 'events/audit',
    text: 'Records are sealed in a chain: one removed, changed or slipped in is found; workers do not fork it.',
  },
  'events/audit-retention': { source: 'events/audit', text: 'Records are kept for 400 days.' },
  'events/records-redacted': {
    source: 'events/records',
    text: 'Secrets are redacted in records, at every depth.',
  },
  'events/webhooks-managed': {
    source: 'events/webhooks',
    text: 'Webhooks are created, listed, changed and deleted; at most 100 in a project.',
  },
  'events/webhook-secrets': {
    source: 'events/delivery',
    text: 'The secret and secret headers are shown once, stored encrypted and redacted everywhere else.',
  },
  'events/names': {
    source: 'events/body',
    text: 'Every change that has an event emits it, under a name of the list.',
  },
  'events/webhook-filters': {
    source: 'events/webhooks',
    text: 'Event names, patterns and filters decide who is told.',
  },
  'events/body': {
    source: 'events/body',
    text: 'A call says id, type, sequence, time, project, environment, actor and data, with the entry in delivery shape up to 64 KiB.',
  },
  'events/sequence': {
    source: 'events/body',
    text: 'Later events of one subject have higher sequences.',
  },
  'events/delivery-signed': {
    source: 'events/delivery',
    text: 'Calls are signed after Standard Webhooks, during a rotation by both secrets.',
  },
  'events/delivery-retries': {
    source: 'events/delivery',
    text: 'Ten attempts over 75 hours with jitter; Retry-After is honoured; redirects are not followed.',
  },
  'events/webhook-disabled': {
    source: 'events/delivery',
    text: 'An answer 410 or five days of failure disable a webhook.',
  },
  'events/webhook-new-origin': {
    source: 'events/webhooks',
    text: 'A URL of another origin removes the secret headers of a webhook.',
  },
  'events/delivery-ended-by-gone': {
    source: 'events/delivery',
    text: 'A 410 ends the pending deliveries of its webhook.',
  },
  'events/delivery-batches': {
    source: 'events/delivery',
    text: 'A webhook with a window is sent its events together.',
  },
  'events/webhook-test': {
    source: 'events/delivery',
    text: 'A test fire answers what came of it, 200 also where the target fails.',
  },
  'events/delivery-log': {
    source: 'events/delivery',
    text: 'Deliveries are listed by cursor and can be made once more.',
  },
  'events/webhook-targets': {
    source: 'events/webhooks',
    text: 'What may never be called is refused when written, and every address is checked at connect.',
  },
  'events/delivery-at-least-once': {
    source: 'limits/overload',
    text: 'Every committed event is delivered at least once, under a stable id, whichever process dies.',
  },
  'limits/private-targets': {
    source: 'limits/hostile-callers',
    text: 'No private, mapped, decimal, octal, rebinding or redirecting target is reached.',
  },
  'access/notifications': {
    source: 'access/notifications',
    text: 'A user is notified once of what concerns them, with its place and a quotation, at once over the event stream.',
  },
  'access/presence': {
    source: 'access/presence',
    text: 'Who may read an entry sees who else is on it and where, in every process, until they leave or are silent.',
  },
  'access/notification-mail': {
    source: 'access/notifications',
    text: 'Mail about notifications is sent at once, once a day or never, as the user wants it for each kind.',
  },
  'access/notification-rights': {
    source: 'access/notifications',
    text: 'A notification is shown only while its user may read what it is about.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
