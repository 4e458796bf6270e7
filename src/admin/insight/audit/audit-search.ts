import { isDay } from '../../ui/time-zone.js';

const interfaces = ['management', 'mcp', 'system', 'cli'] as const;
export type AuditInterface = (typeof interfaces)[number];
export const allInterfaces = interfaces;

/** The filters of the audit explorer, which are in the address. */
export interface AuditSearch {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
  readonly interface?: AuditInterface | undefined;
  /** Days of the browser's time zone, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const LENGTH = 200;

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value).slice(0, LENGTH)
    : undefined;
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined;

export const readAuditSearch = (search: Record<string, unknown>): AuditSearch => ({
  action: text(search.action),
  actorId: text(search.actorId),
  targetType: text(search.targetType),
  targetId: text(search.targetId),
  interface: interfaces.find((one) => one === search.interface),
  from: day(search.from),
  to: day(search.to),
});
