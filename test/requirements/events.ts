import type { Requirement } from './requirement.js';

/** Chapter 6, events, webhooks and audit; decisions 2.20, 2.21. */
export const events = {
  'spec-4.3-webhooks': { source: 'spec 4.3', text: 'Webhooks: list, create, update, delete, test.' },
  'spec-6-audit': { source: 'spec 6', text: 'Every mutation leaves one audit record with before and after.' },
  'dec-3.1-records': {
    source: '3.1',
    text: 'Each changed thing has its record and event; those of one call share their cause.',
  },
  'dec-2.21-append-only': { source: '2.21', text: 'Audit records cannot be changed or deleted.' },
  'dec-2.21-read': {
    source: '2.21',
    text: 'audit-events tells who changed what from where, by filters and cursor.',
  },
  'dec-2.21-export': { source: '2.21', text: 'audit-events/export streams every event as NDJSON.' },
  'dec-2.21-chain': {
    source: '2.21',
    text: 'Records are sealed in a chain: one removed, changed or slipped in is found; workers do not fork it.',
  },
  'dec-2.21-retention': { source: '2.21', text: 'Records are kept for 400 days.' },
  'dec-2.21-secrets': { source: '2.21', text: 'Secrets are redacted in records, at every depth.' },
  'dec-2.20-manage': {
    source: '2.20',
    text: 'Webhooks are created, listed, changed and deleted; at most 100 in a project.',
  },
  'dec-2.20-secret': {
    source: '2.20',
    text: 'The secret and secret headers are shown once, stored encrypted and redacted everywhere else.',
  },
  'dec-2.20-events': {
    source: '2.20',
    text: 'Every change that has an event emits it, under a name of the list.',
  },
  'dec-2.20-filters': { source: '2.20', text: 'Event names, patterns and filters decide who is told.' },
  'dec-2.20-body': {
    source: '2.20',
    text: 'A call says id, type, time, project, environment, actor and data, with the entry in delivery shape up to 64 KiB.',
  },
  'dec-2.20-signing': {
    source: '2.20',
    text: 'Calls are signed after Standard Webhooks, during a rotation by both secrets.',
  },
  'dec-2.20-retry': {
    source: '2.20',
    text: 'Ten attempts over 75 hours with jitter; Retry-After is honoured; redirects are not followed.',
  },
  'dec-2.20-health': { source: '2.20', text: 'An answer 410 or five days of failure disable a webhook.' },
  'dec-4.13-origin': {
    source: '4.13',
    text: 'A URL of another origin removes the secret headers of a webhook.',
  },
  'dec-4.13-gone': { source: '4.13', text: 'A 410 ends the pending deliveries of its webhook.' },
  'dec-2.20-batch': { source: '2.20', text: 'A webhook with a window is sent its events together.' },
  'dec-2.20-test': {
    source: '2.20',
    text: 'A test fire answers what came of it, 200 also where the target fails.',
  },
  'dec-2.20-log': { source: '2.20', text: 'Deliveries are listed by cursor and can be made once more.' },
  'dec-2.29-webhook-targets': {
    source: '2.29',
    text: 'What may never be called is refused when written, and every address is checked at connect.',
  },
  'hard-outbox': {
    source: 'hardening 1',
    text: 'Every committed event is delivered at least once, under a stable id, whichever process dies.',
  },
  'hard-ssrf': {
    source: 'hardening 2',
    text: 'No private, mapped, decimal, octal, rebinding or redirecting target is reached.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
