import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName, Id, LocaleCode, Name, observed, ScopeSlug, Timestamp } from '../../primitives.js';

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const outcome = {
  statusCode: z.int().nullable().meta({ description: 'Null when there was no response.', example: 200 }),
  durationMs: z.int(),
  responseSnippet: z.string().nullable().meta({ description: 'Beginning of the response body.' }),
  error: z.string().nullable().meta({ description: 'Reason of the failure.', example: 'timeout' }),
};

const DeliveryAttempt = z
  .object({ at: Timestamp, ...outcome })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'An HTTP call to the target.' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const WebhookDelivery = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    eventType: z.string(),
    eventIds: z
      .array(z.string())
      .meta({ description: 'Delivered events. Several if the webhook batches them.' }),
    isTest: z.boolean(),
    status: z.enum(deliveryStatuses),
    attemptCount: z.int(),
    attempts: z.array(DeliveryAttempt).meta({ description: 'In chronological order.' }),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'A delivery to a webhook, sent or pending.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookTestResult = z
  .object({ deliveryId: z.string(), ok: z.boolean(), ...outcome })
  .meta({ id: 'WebhookTestResult', description: 'Result of a test delivery.' });
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;

const actorTypes = ['user', 'api_key', 'system'] as const;
const atMost = limits.webhookFilterValues;

const filterKeys = {
  siteIds: z.array(Id).max(atMost).meta({ description: 'Sites whose events are delivered.' }),
  contentTypes: z
    .array(ApiName)
    .max(atMost)
    .meta({ description: 'Content types whose events are delivered.', example: ['article'] }),
  locales: z
    .array(LocaleCode)
    .max(atMost)
    .meta({ description: 'Locales whose events are delivered.', example: ['en-US'] }),
  environments: z
    .array(ScopeSlug)
    .max(atMost)
    .meta({ description: 'Environments whose events are delivered.', example: ['production'] }),
  actorTypes: z
    .array(z.enum(actorTypes))
    .max(actorTypes.length)
    .meta({ description: 'Types of actors whose events are delivered.', example: ['user'] }),
};

/** An empty list matches everything. */
const WebhookFilters = z.object(filterKeys).meta({
  id: 'WebhookFilters',
  description:
    'Filters events. An empty list matches all. Events without a site, type or locale match any list of them.',
});
export type WebhookFilters = z.infer<typeof WebhookFilters>;

const WebhookHeader = z.object({
  name: z.string(),
  value: z.string().nullable().meta({ description: 'Null for a secret header.', example: 'headwater' }),
  secret: z.boolean().meta({ description: 'Whether the value is encrypted and never returned.' }),
});

const webhookHealths = ['unknown', 'healthy', 'failing', 'disabled'] as const;

const WebhookPayload = z.enum(['full', 'thin']).meta({
  description: '`full` includes the entry in delivery shape, up to 64 KiB. `thin` omits it.',
  example: 'full',
});

export const Webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().meta({ description: 'URL that receives the events.' }),
    events: z.array(z.string()),
    filters: WebhookFilters,
    headers: z.array(WebhookHeader),
    payload: WebhookPayload,
    enabled: z.boolean(),
    health: observed(
      z.enum(webhookHealths).meta({
        description:
          '`disabled`: the service disabled the webhook after five days of failures or a 410 response.',
      }),
    ),
    batchWindowSeconds: z.int().meta({ description: '0 sends every event on its own.' }),
    orphaned: z.boolean().meta({
      description:
        'The API key that made it or changed its URL has expired or was revoked: it receives nothing unless a user adopts it.',
    }),
    secretPreview: z.string().meta({ description: 'Last characters of the secret.' }),
    lastDeliveryAt: observed(
      Timestamp.nullable().meta({ description: 'Time of the last successful delivery.' }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Webhook',
    description: 'A URL that receives events. The secret is returned only on creation.',
  });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .object({
    ...Webhook.shape,
    secret: z
      .string()
      .meta({ description: 'Signs every call (Standard Webhooks).', example: `whsec_${'A'.repeat(43)}=` }),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its secret, which is not returned again.' });
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
      description: 'Omitted or null keeps the value of an existing secret header.',
      example: 'blue',
    }),
  secret: z.boolean().default(false).meta({ description: 'A secret value is never returned.' }),
});

const changeable = {
  name: Name,
  url: z.string().min(1).max(limits.urlLength).meta({
    description: 'https, without credentials; never a private address.',
    example: 'https://hooks.example.com/headwater',
  }),
  filters: z
    .strictObject(filterKeys)
    .partial()
    .meta({ description: 'Filters events. A PUT replaces all filters.' }),
  headers: z.array(HeaderInput).max(limits.webhookHeaders).meta({ description: 'Sent with every call.' }),
  payload: WebhookPayload,
  enabled: z.boolean().meta({ description: 'If false, nothing is sent and events are not queued.' }),
  batchWindowSeconds: z.int().min(0).max(limits.webhookBatchWindowSeconds).meta({
    description:
      'Collects events for this many seconds and sends them in one call. 0 sends each event separately.',
    example: 0,
  }),
};

const eventsOf = <S extends z.ZodType>(pattern: S) =>
  z
    .array(pattern)
    .min(1)
    .max(100)
    .meta({ description: 'Events to receive.', example: ['entry.*', 'tree.node_moved'] });

/** @param pattern of events */
export const webhookInput = <S extends z.ZodType>(pattern: S) => ({
  ...changeable,
  events: eventsOf(pattern),
  filters: changeable.filters.optional(),
  headers: changeable.headers.optional(),
  payload: changeable.payload.default('full'),
  enabled: changeable.enabled.default(true),
  batchWindowSeconds: changeable.batchWindowSeconds.default(0),
});

/** Omitted keys are unchanged. */
export const webhookChange = <S extends z.ZodType>(pattern: S) => ({
  name: changeable.name.optional(),
  url: changeable.url.optional(),
  events: eventsOf(pattern).optional(),
  filters: changeable.filters.optional(),
  headers: changeable.headers.optional(),
  payload: changeable.payload.optional(),
  enabled: changeable.enabled.optional(),
  batchWindowSeconds: changeable.batchWindowSeconds.optional(),
});
