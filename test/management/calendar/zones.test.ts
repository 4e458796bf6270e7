import { describe, expect, it } from '@jest/globals';
import { openDesk, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';

const app = useOwnApp({ clock: () => new Date('2027-01-10T08:00:00.000Z') });

describe('POST calendar/reschedule without a time zone', () => {
  verifies('publication/calendar-changes');

  it.each([
    ['an instant', '2027-01-21T08:00:00Z', '2027-01-21T08:00:00.000Z'],
    ['a local time', '2027-01-22T10:00:00', '2027-01-22T09:00:00.000Z'],
  ])('keeps the zone of the job for %s', async (_what, scheduledAt, instant) => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const body = { scheduledAt: '2027-01-20T10:00:00', timezone: 'Europe/Berlin' };
    const made = await desk.post(`/entries/${id}/publish`, body);
    const { jobId } = (made.body as { data: { jobId: string } }).data;
    const moved = await desk.post('/calendar/reschedule', { jobId, scheduledAt });
    expect(moved.body.data).toMatchObject({ scheduledAt: instant, timezone: 'Europe/Berlin' });
  });
});
