import type { OutboxEvent } from '../../../persistence/work/unit-of-work.js';
import type { RedirectRow } from '../redirect.repository.js';

/** Event about one redirect (decisions 2.20). */
export function redirectEvent(verb: 'created' | 'updated' | 'deleted', row: RedirectRow): OutboxEvent {
  const { id, siteId, locale, source, target, status, queryMatch } = row;
  const data = { redirectId: id, siteId, locale, source, target, status, queryMatch };
  return { type: `redirect.${verb}`, data };
}
