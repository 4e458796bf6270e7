import { z } from 'zod';
import { Timestamp, isInstant, isLocalTime } from '../../primitives.js';
import { Actor } from '../../actor.js';

/** Rejects offsets such as `+01:00`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** An instant, or a local time in a zone. */
export const schedule = {
  scheduledAt: z.iso
    .datetime({ offset: true, local: true, abort: true })
    .refine((time) => !/\.\d{4}/.test(time), 'must not be finer than milliseconds')
    .refine(
      (time) => isInstant(time) || isLocalTime(time),
      'must be in the years 1 to 9999, with an offset of less than 16 hours',
    )
    .optional()
    .meta({
      description:
        'Schedules the action for this time. ISO 8601 with an offset or Z; without one, local time in `timezone`.',
      example: '2027-01-01T00:00:00Z',
    }),
  timezone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone').optional().meta({
    description: 'IANA time zone of `scheduledAt`. Defaults to UTC.',
    example: 'Europe/Berlin',
  }),
};

export const JobKind = z.enum(['publish', 'unpublish']).meta({ description: 'What the job does.' });
export type JobKind = z.infer<typeof JobKind>;

/** As shown on its entry. */
export const PendingSchedule = z
  .object({ jobId: z.string(), kind: JobKind, scheduledAt: z.string(), timezone: z.string() })
  .meta({ id: 'PendingSchedule', description: 'A scheduled publish or unpublish.' });
export type PendingSchedule = z.infer<typeof PendingSchedule>;

/** Rule http/status-codes. */
export const ScheduledJob = z
  .object({
    jobId: z.string(),
    status: z.literal('scheduled'),
    kind: JobKind,
    entryId: z.string(),
    locale: z.string(),
    scheduledAt: z.string(),
    timezone: z.string(),
  })
  .meta({ id: 'ScheduledJob', description: 'A scheduled action.' });
export type ScheduledJob = z.infer<typeof ScheduledJob>;

export const JobStatus = z
  .enum(['scheduled', 'succeeded', 'failed', 'canceled'])
  .meta({ description: 'scheduled: waiting, also for a retry; the others are final.', example: 'scheduled' });
export type JobStatus = z.infer<typeof JobStatus>;

/** A job of an entry, waiting or done (rule publication/schedules). */
export const EntrySchedule = z
  .object({
    ...ScheduledJob.shape,
    status: JobStatus,
    version: z.int().nullable().meta({
      description: 'The job fails unless this is the current version of the entry. Null means any.',
    }),
    comment: z.string().nullable(),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the last attempt failed.' }),
    createdAt: Timestamp,
    createdBy: Actor,
    orphaned: z.boolean().meta({
      description:
        'The API key that made it has expired or was revoked: it does not run unless a user adopts it.',
    }),
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'EntrySchedule', description: 'A scheduled publish or unpublish with its outcome.' });
export type EntrySchedule = z.infer<typeof EntrySchedule>;
