import { calendar as contracts } from '../../contracts/management/calendar.contract.js';
import { listCalendar } from '../features/calendar/list-calendar.js';
import { rescheduleJob } from '../features/entries/schedules/reschedule-job.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const calendar = bind(contracts, {
  list: query(listCalendar),
  reschedule: mutation(rescheduleJob, { lock: 'content' }),
});
