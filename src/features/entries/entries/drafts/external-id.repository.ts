import { AppError } from '../../../../../contracts/errors.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { readableEntries } from '../../../shared/readable-entries.js';
import { keyErrors } from '../entry.repository.js';

/** An external id within its type. */
export interface ExternalKey {
  readonly contentTypeId: string;
  readonly externalId: string;
}

export const externalKey = ({ contentTypeId, externalId }: ExternalKey): string =>
  `${contentTypeId} ${externalId}`;

const findHolders = {
  name: 'external_ids',
  text: `SELECT e.id, e.content_type_id AS "contentTypeId", e.external_id AS "externalId"
    FROM unnest($2::uuid[], $3::text[]) AS g (content_type_id, external_id)
      JOIN entries e ON e.environment_id = $1 AND e.content_type_id = g.content_type_id AND e.external_id = g.external_id
        AND e.deleted_at IS NULL`,
};

export class ExternalIdRepository extends Repository {
  /** Ids of the entries that have the external ids, which stay locked until the end of the transaction. By key. */
  async hold(keys: readonly ExternalKey[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    // The connection runs them in order: the second sees what was committed while the first waited.
    const [, holders] = await Promise.all([
      this.holdKeys(keys.map((key) => `external:${this.environmentId}:${externalKey(key)}`)),
      this.query<ExternalKey & { id: string }>(findHolders, [
        this.environmentId,
        keys.map(({ contentTypeId }) => contentTypeId),
        keys.map(({ externalId }) => externalId),
      ]),
    ]);
    return new Map(holders.map((holder) => [externalKey(holder), holder.id]));
  }

  /** Ids of the entries that have the external ids, without those that the actor cannot read. By key. */
  async readable(keys: readonly ExternalKey[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const bind: unknown[] = [
      this.environmentId,
      keys.map(({ contentTypeId }) => contentTypeId),
      keys.map(({ externalId }) => externalId),
    ];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    const statement = readable === null ? findHolders : `${findHolders.text} AND ${readable}`;
    const holders = await this.query<ExternalKey & { id: string }>(statement, bind);
    return new Map(holders.map((holder) => [externalKey(holder), holder.id]));
  }

  /** @throws AppError 409 `external_id_conflict` */
  async assertFree(key: ExternalKey): Promise<void> {
    if ((await this.hold([key])).size > 0)
      throw new AppError('external_id_conflict', { externalId: key.externalId });
  }

  async write(id: string, externalId: string | null): Promise<void> {
    const { now, scope } = this.bound;
    const written = this.query(
      'UPDATE entries SET external_id = $3, updated_at = $4, updated_by = $5 WHERE environment_id = $1 AND id = $2',
      [this.environmentId, id, externalId, now, JSON.stringify(scope.actor)],
    );
    await this.mapViolations(written, keyErrors);
  }
}
