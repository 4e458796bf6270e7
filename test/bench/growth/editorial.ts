import { seededId } from '../seed/bulk-entries.js';
import { prefixes } from './content.js';
import { GROUP, job } from './editorial-content.js';
import type { Measure } from './measures.js';
import type { Stage } from './stage.js';

const limit = (round: number): string => `limit=${String(20 + (round % 10))}`;
const read = (name: string, path: (stage: Stage, round: number) => string): Measure => ({
  name,
  run: (stage, round) => stage.call('GET', `{main}/${path(stage, round)}`),
});
const list = (name: string, query: string): Measure =>
  read(name, (_stage, round) => `entries?${limit(round)}&${query}`);
const board = (name: string, query: string): Measure =>
  read(name, (_stage, round) => `translations?${limit(round)}&${query}`);
const group = ({ count }: Stage, round: number): number => (((round * 7919) % count) / GROUP) | 0;
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** What editors look at: states, translations, the calendar. */
export const editorialMeasures: readonly Measure[] = [
  list('entries in the first state', 'workflowState=draft'),
  list('entries in review (a tenth)', 'workflowState=in_review'),
  list('entries in review, last page', 'workflowState=in_review&orderBy=createdAt:asc'),
  list('entries in a rare state', 'workflowState=approved'),
  list('entries in review in a locale', 'workflowState=in_review&locale=de'),
  list('drafts in review of a type', 'workflowState=in_review&status=draft&contentTypeApiName=topic'),
  list('facets by state', 'facets=status,workflowState'),
  board('dashboard', ''),
  board('dashboard of a locale', 'locale=de'),
  board('dashboard, missing', 'status=missing'),
  board('dashboard, missing in a locale', 'status=missing&locale=de'),
  board('dashboard, stale (a twentieth)', 'status=stale'),
  board('dashboard, two statuses', 'status=stale,complete'),
  read(
    'dashboard of an assignee',
    (stage, round) => `translations?${limit(round)}&assigneeId=${seededId(job, group(stage, round))}`,
  ),
  read('translation statistics', (_stage, round) =>
    round % 2 === 0 ? 'translations/stats' : 'translations/stats?contentTypeApiName=topic',
  ),
  read(
    'one translation',
    (stage, round) => `translations/${seededId(prefixes.page, 1 + ((round * 7919) % stage.count))}`,
  ),
  read(
    'calendar, a month',
    (_stage, round) => `calendar?from=${day(round / 24 - 15)}&to=${day(round / 24 + 15)}`,
  ),
  read(
    'calendar, a month of a locale',
    (_stage, round) => `calendar?locale=en&from=${day(round / 24 - 15)}&to=${day(round / 24 + 15)}`,
  ),
];
