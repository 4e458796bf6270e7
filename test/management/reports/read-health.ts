import { expect } from '@jest/globals';
import type { ContentHealth, HealthIssue } from '../../../contracts/insight/reports/report.js';
import { outcome, type Desk } from '../../support/desk.js';
import { recountHealth, type RecountedIssue } from './recount-health.js';

export async function readHealth(desk: Desk, query = ''): Promise<ContentHealth & { total: number }> {
  const response = await desk.get(`/reports/content-health?${query}`);
  expect(outcome(response)).toEqual([200, undefined]);
  const { data, meta } = response.body as { data: ContentHealth; meta: { total: number } };
  return { ...data, total: meta.total };
}

export const keyOf = ({ code, field, locale }: HealthIssue | RecountedIssue): string =>
  [code, field ?? '', locale ?? ''].join(' ');

/** Issues of at most 100 entries by entry. */
export async function reported(desk: Desk): Promise<Record<string, string[]>> {
  const { rows } = await readHealth(desk, 'limit=100');
  return Object.fromEntries(rows.map(({ entryId, issues }) => [entryId, issues.map(keyOf).sort()]));
}

/** The same, by looking at all rows. */
export async function recounted(desk: Desk): Promise<Record<string, string[]>> {
  const byEntry = Map.groupBy(await recountHealth(desk), ({ entryId }) => entryId);
  return Object.fromEntries([...byEntry].map(([id, issues]) => [id, issues.map(keyOf).sort()]));
}

/** Notes of changes that no worker has considered. */
export async function notes({ app }: Desk): Promise<number> {
  const [row] = await app.rows<{ notes: number }>(null, 'SELECT count(*)::int AS notes FROM health_notes');
  return row?.notes ?? -1;
}
