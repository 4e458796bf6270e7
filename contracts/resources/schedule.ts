import { z } from 'zod';

/** Whether the platform knows an IANA zone of this name; offsets such as `+01:00` are none. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** When something shall happen: an instant, or a wall time in a zone. */
export const schedule = {
  scheduledAt: z.iso
    .datetime({ offset: true, local: true })
    .refine((time) => !/\.\d{4}/.test(time), 'must not be finer than milliseconds')
    .optional()
    .meta({
      description:
        'Do it then instead of now. ISO 8601 with an offset or Z, or without one as the wall time in `timezone`.',
      example: '2027-01-01T00:00:00Z',
    }),
  timezone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone').optional().meta({
    description: 'IANA zone in which the time is meant and shown; UTC when absent.',
    example: 'Europe/Berlin',
  }),
};

/** What a job does. */
export const JobKind = z.enum(['publish', 'unpublish']);
export type JobKind = z.infer<typeof JobKind>;

/** A job that waits, as its entry shows it. */
export const PendingSchedule = z
  .object({ jobId: z.string(), kind: JobKind, scheduledAt: z.string(), timezone: z.string() })
  .meta({ id: 'PendingSchedule', description: 'A publication or its end that will happen later.' });
export type PendingSchedule = z.infer<typeof PendingSchedule>;

/** A job that was just made (decisions 2.29). */
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
  .meta({ id: 'ScheduledJob', description: 'Something that will happen later.' });
export type ScheduledJob = z.infer<typeof ScheduledJob>;
