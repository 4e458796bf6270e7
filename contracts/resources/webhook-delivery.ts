import { z } from 'zod';
import { Timestamp } from '../primitives.js';

/** How far a delivery has come. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const outcome = {
  statusCode: z.int().nullable().meta({ description: 'Null when there was no response.', example: 200 }),
  durationMs: z.int(),
  responseSnippet: z.string().nullable().meta({ description: 'Start of the response body.' }),
  error: z.string().nullable().meta({ description: 'Why it did not succeed.', example: 'timeout' }),
};

/** One call of the target. */
const DeliveryAttempt = z
  .object({ at: Timestamp, ...outcome })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'One call of the target.' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** A delivery to a webhook, sent or pending. */
export const WebhookDelivery = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    eventType: z.string(),
    eventIds: z
      .array(z.string())
      .meta({ description: 'Delivered events; several when the webhook batches them.' }),
    isTest: z.boolean(),
    status: z.enum(deliveryStatuses),
    attemptCount: z.int(),
    attempts: z.array(DeliveryAttempt).meta({ description: 'In the order in which they were made.' }),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'A delivery to a webhook, sent or pending.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** What came of a test fire. */
export const WebhookTestResult = z
  .object({ deliveryId: z.string(), ok: z.boolean(), ...outcome })
  .meta({ id: 'WebhookTestResult', description: 'What came of a test fire.' });
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;
