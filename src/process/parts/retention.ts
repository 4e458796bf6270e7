import { KeyAddressRepository } from '../../features/api-keys/index.js';
import { StoredReplyRepository } from '../../features/idempotency/index.js';
import { UploadRepository } from '../../features/media/index.js';
import { ActivityCounterRepository } from '../../features/reports/index.js';
import { SessionRepository } from '../../features/sessions/index.js';
import { TranslationJobRepository } from '../../features/translations/index.js';
import { systemScope, type UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';

export async function pruneExpired(units: UnitOfWorkFactory): Promise<void> {
  const request = { scope: systemScope({ command: 'upkeep' }), isReadOnly: false, lock: 'none' } as const;
  await units.run(request, (work) => work.use(StoredReplyRepository).prune());
  await units.run(request, (work) => work.use(SessionRepository).prune());
  await units.run(request, (work) => work.use(UploadRepository).prune());
  await units.run(request, (work) => work.use(TranslationJobRepository).prune());
  await units.run(request, (work) => work.use(ActivityCounterRepository).prune());
  await units.run(request, (work) => work.use(KeyAddressRepository).prune());
}
