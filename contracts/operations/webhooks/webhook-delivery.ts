import { z } from 'zod';
import { Timestamp } from '../../primitives.js';

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
