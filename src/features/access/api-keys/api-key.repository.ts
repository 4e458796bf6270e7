import { AppError } from '../../../../contracts/errors.js';
import type { ApiKeyRow } from '../../../persistence/models/access.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';

export type { ApiKeyRow };

export class ApiKeyRepository extends TableRepository<ApiKeyRow> {
  protected readonly table = {
    model: ({ apiKeys }: Models) => apiKeys,
    resource: 'api_key',
    notFound: () => new AppError('api_key_not_found'),
  } as const satisfies TableDefinition<ApiKeyRow>;

  countUnrevoked(): Promise<number> {
    return this.count({ revokedAt: null });
  }

  /** Excludes the time of last use, which other processes write concurrently. */
  protected override changeable({ lastUsedAt: _use, ...columns }: ApiKeyRow): Partial<ApiKeyRow> {
    return columns;
  }
}
