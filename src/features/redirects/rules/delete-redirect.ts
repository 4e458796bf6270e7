import type { Deleted } from '../../../../contracts/envelopes.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeRedirect } from './redirect-rights.js';
import { redirectEvent } from './redirect.events.js';
import { RedirectRepository } from '../redirect.repository.js';

export async function deleteRedirect(
  work: UnitOfWork,
  input: InputOf<typeof redirects.delete>,
): Promise<{ data: Deleted }> {
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  const row = await redirects.find(input.id);
  authorizeRedirect(work, { siteId: row.siteId, locales: [row.locale] }, 'delete');
  await redirects.remove(row);
  work.emit(redirectEvent('deleted', row));
  return { data: { id: row.id, deleted: true } };
}
