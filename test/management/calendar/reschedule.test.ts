import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';

const at = (day: number, time = '09:00'): string => `2027-01-${String(day)}T${time}:00.000Z`;
let now = new Date(at(10));
const app = useOwnApp({ clock: () => now });

const move = (desk: Desk, jobId: string, scheduledAt: string, rest: object = {}) =>
  desk.post('/calendar/reschedule', { jobId, scheduledAt, ...rest });

/** The job that publishes a new entry on the 12th. */
async function newJob(desk: Desk): Promise<{ id: string; jobId: string }> {
  now = new Date(at(10));
  const { id } = await article(desk);
  const { body } = await desk.post(`/entries/${id}/publish`, { scheduledAt: at(12) });
  return { id, jobId: (body as { data: { jobId: string } }).data.jobId };
}

describe('POST calendar/reschedule', () => {
  verifies('publication/calendar-changes');

  it.each([
    ['leaves out: forward', '2027-03-28T02:30:00', '2027-03-28T01:30:00.000Z'],
    ['repeats: the first', '2027-10-31T02:30:00', '2027-10-31T00:30:00.000Z'],
  ])('moves a job to a wall time that its zone %s', async (_what, wanted, instant) => {
    const desk = await openDesk(app());
    const { jobId } = await newJob(desk);
    const moved = await move(desk, jobId, wanted, { timezone: 'Europe/Berlin' });
    expect(moved.body.data).toMatchObject({ scheduledAt: instant, timezone: 'Europe/Berlin' });
  });

  it('and the start of the job exclude each other', async () => {
    const desk = await openDesk(app());
    for (let round = 0; round < 5; round += 1) {
      const { id, jobId } = await newJob(desk);
      now = new Date(at(12));
      const [response] = await Promise.all([move(desk, jobId, at(20)), app().composition.jobs.runDue()]);
      const { status } = (await desk.get(`/entries/${id}`)).body.data as { status: string };
      if (response.status === 200) expect(status).toBe('draft');
      else expect([outcome(response), status]).toEqual([[409, 'job_not_reschedulable'], 'published']);
    }
  });
});
