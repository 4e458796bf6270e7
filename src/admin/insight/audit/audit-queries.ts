import { api, client, type Outputs } from '../../api/client.js';
import { cursorPages } from '../../api/cursor-pages.js';
import { daysAfter, ownTimeZone, startOfDay } from '../../ui/time-zone.js';
import type { AuditSearch } from './audit-search.js';

export type AuditEvent = Outputs['audit']['listEvents']['data'][number];
export type AuditCheck = Outputs['audit']['verify']['data'];

const PAGE = 50;

/** The list has no cursor for its first page. */
const FIRST = '*';

export function auditPages(projectSlug: string, { from, to, ...filters }: AuditSearch) {
  const input = {
    projectSlug,
    limit: PAGE,
    ...filters,
    ...(from !== undefined && { from: startOfDay(from, ownTimeZone) }),
    ...(to !== undefined && { to: startOfDay(daysAfter(to, 1), ownTimeZone) }),
  };
  return cursorPages(api.audit.listEvents.queryKey(input), (cursor) =>
    client.audit.listEvents.query(cursor === FIRST ? input : { ...input, cursor }),
  );
}

/** Verifies the whole chain, or until the first broken block. */
export async function verifyChain(projectSlug: string): Promise<AuditCheck> {
  let records = 0;
  for (let fromBlock: number | undefined; ;) {
    const { data } = await client.audit.verify.query({
      projectSlug,
      ...(fromBlock !== undefined && { fromBlock }),
    });
    records += data.records;
    if (!data.ok || data.nextBlock === null) return { ...data, records };
    fromBlock = data.nextBlock;
  }
}
