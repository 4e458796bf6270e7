import type { apiKeys } from '../../../contracts/management/api-keys.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ApiKey } from '../../../contracts/resources/api-key.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentApiKey, presentationContext } from './api-key.presenter.js';
import { ApiKeyRepository } from './api-key.repository.js';

export async function getApiKey(
  work: UnitOfWork,
  input: InputOf<typeof apiKeys.get>,
): Promise<{ data: ApiKey }> {
  const key = await work.use(ApiKeyRepository).find(input.id);
  return { data: presentApiKey(key, await presentationContext(work, [key])) };
}
