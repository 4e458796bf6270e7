import { AppError } from '../../../contracts/errors.js';
import type { Catalog } from '../../content/catalog.js';
import type { Services } from '../../procedures/index.js';

/**
 * Checks the key that made a URL whose signature is valid.
 * @throws AppError 403 `invalid_signature` where it has expired or was revoked (decisions 4.9)
 */
export async function assertSignerActive(
  { keyActivity }: Services,
  { data }: Catalog,
  query: URLSearchParams,
): Promise<void> {
  const keyId = query.get('key');
  if (keyId !== null && !(await keyActivity.isActive(keyId, data))) throw new AppError('invalid_signature');
}
