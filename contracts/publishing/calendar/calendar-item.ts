import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { JobStatus } from '../../entries/schedules/schedule.js';

/** `publish`, `unpublish` and `release` are jobs; `published` and `unpublished` were done directly. */
export const calendarKinds = ['publish', 'unpublish', 'release', 'published', 'unpublished'] as const;

/** Rule publication/calendar. */
export const CalendarItem = z
  .object({
    id: z.string().meta({ description: 'Id of the job, or of the publication.' }),
    kind: z.enum(calendarKinds).meta({
      description:
        '`publish`, `unpublish` and `release` are jobs; `published` and `unpublished` were done at once.',
    }),
    entryId: z.string().nullable().meta({ description: 'Null for a release.' }),
    releaseId: z.string().nullable().meta({ description: 'Null for an entry.' }),
    entryTitle: z.string().meta({ description: 'Title of the entry, or name of the release.' }),
    contentTypeApiName: z.string().nullable(),
    siteId: z.string().nullable(),
    locale: z.string().nullable(),
    scheduledAt: Timestamp.meta({ description: 'When it is due, or was done at once.' }),
    timezone: z.string().meta({ description: 'IANA time zone the job was scheduled in.' }),
    status: JobStatus,
    completedAt: Timestamp.nullable(),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the last attempt failed.' }),
    createdBy: Actor,
    orphaned: z.boolean().meta({
      description:
        'A waiting job whose API key has expired or was revoked: it does not run unless a user adopts it.',
    }),
    conflicts: z.array(z.string()).meta({
      description: 'Ids of the other waiting jobs of the entry and locale. Empty for what has ended.',
      example: [],
    }),
  })
  .meta({ id: 'CalendarItem', description: 'A publication or unpublication, past or to come.' });
export type CalendarItem = z.infer<typeof CalendarItem>;

/** Rule publication/calendar. */
export const RescheduledJob = z
  .object({
    jobId: z.string(),
    status: z.enum(['scheduled', 'canceled']),
    kind: z.enum(['publish', 'unpublish', 'release']).meta({ description: 'What the job does.' }),
    entryId: z.string().nullable(),
    releaseId: z.string().nullable(),
    locale: z.string().nullable(),
    scheduledAt: Timestamp,
    timezone: z.string(),
  })
  .meta({ id: 'RescheduledJob', description: 'A job at its new time, or canceled.' });
export type RescheduledJob = z.infer<typeof RescheduledJob>;

/** Rule publication/calendar. */
export const CalendarFeed = z
  .object({
    ics: z.string().meta({ description: 'The calendar.', example: 'BEGIN:VCALENDAR…END:VCALENDAR' }),
    fileName: z.string(),
  })
  .meta({ description: 'The calendar in the format of RFC 5545.' });
export type CalendarFeed = z.infer<typeof CalendarFeed>;

export const CalendarFeedUrl = z
  .object({
    url: z.string().meta({ description: 'URL of the feed. Keep it secret: it needs no credential.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'CalendarFeedUrl', description: 'The signed URL of a calendar feed.' });
export type CalendarFeedUrl = z.infer<typeof CalendarFeedUrl>;
