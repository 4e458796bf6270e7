import { z } from 'zod';
import { Timestamp } from '../primitives.js';

/** How far a delivery has come. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const outcome = {
  statusCode: z.int().nullable().meta({ description: 'Null where there was no answer.', example: 200 }),
  durationMs: z.int(),
  responseSnippet: z.string().nullable().meta({ description: 'The beginning of what was answered.' }),
  error: z.string().nullable().meta({ description: 'Why it did not succeed.', example: 'timeout' }),
};

/** One call of the target. */
const DeliveryAttempt = z
  .object({ at: Timestamp, ...outcome })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'One call of the target.' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** What a webhook was told, or is to be told. */
export const WebhookDelivery = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    eventType: z.string(),
    eventIds: z
      .array(z.string())
      .meta({ description: 'The events told; more than one where the webhook collects them.' }),
    isTest: z.boolean(),
    status: z.enum(deliveryStatuses),
    attemptCount: z.int(),
    attempts: z.array(DeliveryAttempt).meta({ description: 'In the order in which they were made.' }),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'What a webhook was told, or is to be told.' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** What came of a test fire. */
export const WebhookTestResult = z
  .object({ deliveryId: z.string(), ok: z.boolean(), ...outcome })
  .meta({ id: 'WebhookTestResult', description: 'What came of a test fire.' });
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;
