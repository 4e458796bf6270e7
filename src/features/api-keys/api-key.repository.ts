import type { Page } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import { isUuid } from '../../infrastructure/ids.js';
import type { ApiKeyRow } from '../../persistence/models/access.js';
import { Repository, type PageQuery } from '../../persistence/repositories/repository.js';

export type { ApiKeyRow };

/** The only place that knows the table of keys. */
export class ApiKeyRepository extends Repository {
  list(query: PageQuery): Promise<Page<ApiKeyRow>> {
    return this.page(this.bound.models.apiKeys, this.#scope, query);
  }

  /** Keys that are not revoked. */
  async countUsable(): Promise<number> {
    const { models, transaction } = this.bound;
    return models.apiKeys.count({ where: { ...this.#scope, revokedAt: null }, transaction });
  }

  async find(id: string): Promise<ApiKeyRow> {
    const { models, transaction } = this.bound;
    const found = isUuid(id)
      ? await models.apiKeys.findOne({ where: { ...this.#scope, id }, transaction })
      : null;
    if (found === null) throw new AppError('api_key_not_found');
    return found.get();
  }

  /** The key, which nobody else changes until the end of this work. */
  async lock(id: string): Promise<ApiKeyRow> {
    const { models, transaction } = this.bound;
    const found = isUuid(id)
      ? await models.apiKeys.findOne({
          where: { ...this.#scope, id },
          transaction,
          lock: transaction.LOCK.UPDATE,
        })
      : null;
    if (found === null) throw new AppError('api_key_not_found');
    return found.get();
  }

  async insert(key: ApiKeyRow): Promise<void> {
    await this.bound.models.apiKeys.create(key, { transaction: this.bound.transaction });
    this.#note('api_key.create', null, key);
  }

  /** When the key was last used is written by others meanwhile, and stays as they wrote it. */
  async save(
    action: 'api_key.update' | 'api_key.rotate' | 'api_key.revoke',
    before: ApiKeyRow,
    after: ApiKeyRow,
  ): Promise<void> {
    const { models, transaction } = this.bound;
    const { lastUsedAt: _use, ...columns } = after;
    await models.apiKeys.update(columns, { where: { ...this.#scope, id: before.id }, transaction });
    this.#note(action, before, after);
  }

  get #scope() {
    return { tenantId: this.tenantId, projectId: this.projectId };
  }

  #note(action: string, before: ApiKeyRow | null, after: ApiKeyRow): void {
    this.record({
      action,
      target: { type: 'api_key', id: after.id, name: after.name },
      before: before && { ...before },
      after: { ...after },
    });
  }
}
