import type { Requirement } from './requirement.js';

/** Events, webhooks and audit. */
export const events = {
  'spec-4.3-webhooks': { source: 'events/webhooks', text: 'Webhooks: list, create, update, delete, test.' },
  'spec-6-audit': {
    source: 'events/records',
    text: 'Every mutation leaves one audit record with before and after.',
  },
  'dec-3.1-records': {
    source: 'events/records',
    text: 'Each changed thing has its record and event; those of one call share their cause.',
  },
  'dec-2.21-append-only': { source: 'events/audit', text: 'Audit records cannot be changed or deleted.' },
  'dec-2.21-read': {
    source: 'events/audit',
    text: 'audit-events tells who changed what from where, by filters and cursor.',
  },
  'dec-2.21-export': { source: 'events/audit', text: 'audit-events/export streams every event as NDJSON.' },
  'dec-2.21-chain': {
    source: 'events/audit',
    text: 'Records are sealed in a chain: one removed, changed or slipped in is found; workers do not fork it.',
  },
  'dec-2.21-retention': { source: 'events/audit', text: 'Records are kept for 400 days.' },
  'dec-2.21-secrets': { source: 'events/records', text: 'Secrets are redacted in records, at every depth.' },
  'dec-2.20-manage': {
    source: 'events/webhooks',
    text: 'Webhooks are created, listed, changed and deleted; at most 100 in a project.',
  },
  'dec-2.20-secret': {
    source: 'events/delivery',
    text: 'The secret and secret headers are shown once, stored encrypted and redacted everywhere else.',
  },
  'dec-2.20-events': {
    source: 'events/body',
    text: 'Every change that has an event emits it, under a name of the list.',
  },
  'dec-2.20-filters': {
    source: 'events/webhooks',
    text: 'Event names, patterns and filters decide who is told.',
  },
  'dec-2.20-body': {
    source: 'events/body',
    text: 'A call says id, type, time, project, environment, actor and data, with the entry in delivery shape up to 64 KiB.',
  },
  'dec-2.20-signing': {
    source: 'events/delivery',
    text: 'Calls are signed after Standard Webhooks, during a rotation by both secrets.',
  },
  'dec-2.20-retry': {
    source: 'events/delivery',
    text: 'Ten attempts over 75 hours with jitter; Retry-After is honoured; redirects are not followed.',
  },
  'dec-2.20-health': {
    source: 'events/delivery',
    text: 'An answer 410 or five days of failure disable a webhook.',
  },
  'dec-4.13-origin': {
    source: 'events/webhooks',
    text: 'A URL of another origin removes the secret headers of a webhook.',
  },
  'dec-4.13-gone': { source: 'events/delivery', text: 'A 410 ends the pending deliveries of its webhook.' },
  'dec-2.20-batch': {
    source: 'events/delivery',
    text: 'A webhook with a window is sent its events together.',
  },
  'dec-2.20-test': {
    source: 'events/delivery',
    text: 'A test fire answers what came of it, 200 also where the target fails.',
  },
  'dec-2.20-log': {
    source: 'events/delivery',
    text: 'Deliveries are listed by cursor and can be made once more.',
  },
  'dec-2.29-webhook-targets': {
    source: 'events/webhooks',
    text: 'What may never be called is refused when written, and every address is checked at connect.',
  },
  'hard-outbox': {
    source: 'limits/overload',
    text: 'Every committed event is delivered at least once, under a stable id, whichever process dies.',
  },
  'hard-ssrf': {
    source: 'limits/hostile-callers',
    text: 'No private, mapped, decimal, octal, rebinding or redirecting target is reached.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
