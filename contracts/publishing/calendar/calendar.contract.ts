import { z } from 'zod';
import { dataOf, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, Id, inPath, InstantInput, LocaleCode, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  CalendarFeed,
  CalendarFeedUrl,
  CalendarItem,
  calendarKinds,
  RescheduledJob,
} from './calendar-item.js';
import { ScheduledRelease } from '../../entries/releases/release.js';
import { EntrySchedule, JobStatus, schedule } from '../../entries/schedules/schedule.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Calendar'];
const resource = 'calendar';

const filters = {
  siteId: anyOf(z.uuid(), 'Filter by site.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
  locale: anyOf(LocaleCode, 'Filter by locale.', 'en'),
  kind: anyOf(z.enum(calendarKinds), 'Filter by kind.', 'publish'),
  status: anyOf(JobStatus, 'Filter by status.', 'scheduled'),
};

export const calendar = {
  list: management({
    openapi: managementRoute('GET', '/calendar', {
      summary: 'List what was and will be published',
      description: `Returns scheduled jobs with their outcome, and what was published or unpublished at once, soonest first. The range is at most ${String(limits.calendarDays)} days; by default 30 days back and 60 ahead.`,
      tags,
    }),
    resource,
    action: 'read',
    errors: ['site_not_found'],
  })
    .input(
      inProject({
        ...paging,
        limit: paging.limit.unwrap().default(100).meta({ description: 'Items per page.', example: 100 }),
        from: InstantInput.optional().meta({
          description: 'Start of the range, inclusive.',
          example: '2026-01-01T00:00:00Z',
        }),
        to: InstantInput.optional().meta({
          description: 'End of the range, exclusive.',
          example: '2026-02-01T00:00:00Z',
        }),
        ...filters,
      }),
    )
    .output(listOf(CalendarItem)),

  feed: management({
    openapi: managementRoute('GET', '/calendar/feed', {
      summary: 'Get the calendar as iCalendar',
      description: `Returns an RFC 5545 calendar of the last ${String(limits.calendarFeedPastDays)} days and the coming year, for calendar programs. \`token\` in a URL of \`calendar/feed-url\` replaces the credential.`,
      tags,
      textResponse: { mediaType: 'text/calendar', key: 'ics', fileName: 'fileName', isRevalidated: true },
      urlToken: 'token',
    }),
    resource,
    action: 'read',
    secrets: { input: { token: 'feed token' } },
    errors: ['invalid_signature'],
  })
    .input(
      inProject({
        ...filters,
        format: z
          .enum(['ics'])
          .default('ics')
          .meta({ description: 'Format of the calendar.', example: 'ics' }),
        token: z.string().max(limits.urlLength).optional().meta({
          description: 'Token of a feed URL, instead of a credential.',
          example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
        }),
      }),
    )
    .output(dataOf(CalendarFeed)),

  feedUrl: management({
    openapi: managementRoute('GET', '/calendar/feed-url', {
      summary: 'Get the URL of the calendar feed',
      description: `Returns a URL for calendar programs that needs no credential. It shows what the caller may read at that time, works for ${String(limits.calendarFeedDays)} days, and ends with the user or key.`,
      tags,
    }),
    resource,
    action: 'read',
    secrets: { output: { 'data.url': 'feed token' } },
  })
    .input(inProject(filters))
    .output(dataOf(CalendarFeedUrl)),

  adopt: management({
    openapi: managementRoute('POST', '/calendar/{jobId}/adopt', {
      summary: 'Adopt a scheduled job',
      description:
        'Makes the waiting job of an API key yours, so that it runs although the key has expired or was revoked. A job whose time has passed runs at once; reschedule it instead to choose another time, which adopts it too. Requires the permission to publish or unpublish the locale.',
      tags,
    }),
    resource,
    action: 'update',
    sessionOnly: true,
    events: ['entry.scheduled', 'release.scheduled'],
    errors: ['entry_not_found', 'job_not_found', 'job_not_reschedulable'],
  })
    .input(inProject({ jobId: inPath('Id of the job.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69') }))
    .output(dataOf(z.union([EntrySchedule, ScheduledRelease]))),

  reschedule: management({
    openapi: managementRoute('POST', '/calendar/reschedule', {
      summary: 'Move or cancel a scheduled job',
      description:
        'Moves a waiting job to another time; null cancels it, which opens its release. Requires the permission to publish or unpublish the locale, or to publish releases. A job that is running or has ended is 409.',
      tags,
    }),
    resource,
    action: 'update',
    events: ['entry.scheduled', 'entry.schedule_canceled', 'release.scheduled'],
    confirmation: 'always',
    errors: ['entry_not_found', 'job_not_found', 'job_not_reschedulable'],
  })
    .input(
      inProject({
        jobId: Id,
        scheduledAt: schedule.scheduledAt.unwrap().nullable().meta({
          description:
            'The new time. ISO 8601 with an offset or Z; without one, local time in `timezone`. Null cancels the job.',
          example: '2027-01-01T00:00:00Z',
        }),
        timezone: schedule.timezone.meta({
          description: 'IANA time zone of `scheduledAt`. Defaults to that of the job.',
          example: 'Europe/Berlin',
        }),
      }),
    )
    .output(dataOf(RescheduledJob)),
};
