import type { Redirect } from '../../../../contracts/resources/redirect.js';
import type { RedirectRow } from '../redirect.repository.js';

export function presentRedirect(row: RedirectRow): Redirect {
  return {
    ...row,
    lastHitAt: row.lastHitAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
