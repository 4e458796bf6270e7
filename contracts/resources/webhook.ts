import { z } from 'zod';
import { limits } from '../limits.js';
import { ApiName, Id, LocaleCode, Name, ScopeSlug, Timestamp } from '../primitives.js';
import { WebhookEventPattern } from './webhook-event.js';

const actorTypes = ['user', 'api_key', 'system'] as const;
const atMost = limits.webhookFilterValues;

const filterKeys = {
  siteIds: z.array(Id).max(atMost).meta({ description: 'Sites that events may be about.' }),
  contentTypes: z
    .array(ApiName)
    .max(atMost)
    .meta({ description: 'Content types that events may be about.', example: ['article'] }),
  locales: z
    .array(LocaleCode)
    .max(atMost)
    .meta({ description: 'Locales that events may be about.', example: ['en-US'] }),
  environments: z
    .array(ScopeSlug)
    .max(atMost)
    .meta({ description: 'Environments whose events are delivered.', example: ['production'] }),
  actorTypes: z
    .array(z.enum(actorTypes))
    .max(actorTypes.length)
    .meta({ description: 'Who may have done it.', example: ['user'] }),
};

/** Narrows what a webhook is told. An empty list lets everything pass. */
const WebhookFilters = z.object(filterKeys).meta({
  id: 'WebhookFilters',
  description:
    'Narrows the events. An empty list lets all pass; an event that is about no site, type or locale is not held back by a list of them.',
});
export type WebhookFilters = z.infer<typeof WebhookFilters>;

const WebhookHeader = z.object({
  name: z.string(),
  value: z.string().nullable().meta({ description: 'Null where it is secret.' }),
  secret: z.boolean(),
});

/** Whether the target takes what it is sent. */
const webhookHealths = ['unknown', 'healthy', 'failing', 'disabled'] as const;

const WebhookPayload = z.enum(['full', 'thin']).meta({
  description: '`full` sends the entry along in delivery shape, up to 64 KiB; `thin` leaves it out.',
  example: 'full',
});

/** A webhook without its secret. */
export const Webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    filters: WebhookFilters,
    headers: z.array(WebhookHeader),
    payload: WebhookPayload,
    enabled: z.boolean(),
    health: z
      .enum(webhookHealths)
      .meta({ description: '`disabled` is what the service switched off: five days of failure, or 410.' }),
    batchWindowSeconds: z.int().meta({ description: '0 sends every event on its own.' }),
    secretPreview: z.string().meta({ description: 'The last characters of the secret.' }),
    lastDeliveryAt: Timestamp.nullable().meta({ description: 'When the target last took an event.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Webhook',
    description: 'A URL that receives events. The secret is returned only on creation.',
  });
export type Webhook = z.infer<typeof Webhook>;

/** A webhook with the secret that signs its calls. */
export const WebhookWithSecret = z
  .object({
    ...Webhook.shape,
    secret: z
      .string()
      .meta({ description: 'Signs every call (Standard Webhooks).', example: `whsec_${'A'.repeat(43)}=` }),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its secret, which is not shown again.' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

const HeaderInput = z.strictObject({
  name: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of an HTTP header')
    .meta({ example: 'X-Route' }),
  value: z
    .string()
    .max(limits.webhookHeaderValueLength)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII')
    .nullish()
    .meta({
      description: 'Absent or null keeps the value of a secret header of this name.',
      example: 'blue',
    }),
  secret: z.boolean().default(false).meta({ description: 'A secret value is never shown again.' }),
});

/** The keys of a webhook that a caller may set and later change. */
const changeable = {
  name: Name,
  url: z.string().min(1).max(limits.urlLength).meta({
    description: 'https, without credentials; never a private address.',
    example: 'https://hooks.example.com/headwater',
  }),
  events: z
    .array(WebhookEventPattern)
    .min(1)
    .max(100)
    .meta({ description: 'Events to receive.', example: ['entry.*', 'tree.node_moved'] }),
  filters: z
    .strictObject(filterKeys)
    .partial()
    .meta({ description: 'Narrows the events. A PUT replaces all filters.' }),
  headers: z
    .array(HeaderInput)
    .max(limits.webhookHeaders)
    .meta({ description: 'Sent along with every call.' }),
  payload: WebhookPayload,
  enabled: z.boolean().meta({ description: 'Off: nothing is sent, and events are not kept for later.' }),
  batchWindowSeconds: z.int().min(0).max(limits.webhookBatchWindowSeconds).meta({
    description: 'Collects events for this long and sends them in one call. 0 sends every event on its own.',
    example: 0,
  }),
};

/** Keys of a new webhook. */
export const webhookInput = {
  ...changeable,
  filters: changeable.filters.optional(),
  headers: changeable.headers.optional(),
  payload: changeable.payload.default('full'),
  enabled: changeable.enabled.default(true),
  batchWindowSeconds: changeable.batchWindowSeconds.default(0),
};

/** Keys of a change: omitted is untouched. */
export const webhookChange = {
  name: changeable.name.optional(),
  url: changeable.url.optional(),
  events: changeable.events.optional(),
  filters: changeable.filters.optional(),
  headers: changeable.headers.optional(),
  payload: changeable.payload.optional(),
  enabled: changeable.enabled.optional(),
  batchWindowSeconds: changeable.batchWindowSeconds.optional(),
};
