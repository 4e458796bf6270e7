import { calendar as contracts } from '../../contracts/management/calendar.contract.js';
import { getFeedUrl } from '../features/calendar/get-feed-url.js';
import { readFeed } from '../features/calendar/read-feed.js';
import { listCalendar } from '../features/calendar/list-calendar.js';
import { adoptJob } from '../features/entries/schedules/adopt-job.js';
import { rescheduleJob } from '../features/entries/schedules/reschedule-job.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const calendar = bind(contracts, {
  list: query(listCalendar),
  feed: query(readFeed),
  feedUrl: query(getFeedUrl, { with: ({ feedTokens, baseUrl }) => ({ feedTokens, baseUrl }) }),
  adopt: mutation(adoptJob, { lock: 'content' }),
  reschedule: mutation(rescheduleJob, { lock: 'content' }),
});
