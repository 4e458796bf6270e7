import { dayValue, textValue } from '../../ui/search-values.js';

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
  textValue(typeof value === 'number' ? String(value) : value, LENGTH);

export const readAuditSearch = (search: Record<string, unknown>): AuditSearch => ({
  action: text(search.action),
  actorId: text(search.actorId),
  targetType: text(search.targetType),
  targetId: text(search.targetId),
  interface: interfaces.find((one) => one === search.interface),
  from: dayValue(search.from),
  to: dayValue(search.to),
});
