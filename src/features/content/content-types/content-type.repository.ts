import type { AuditAction } from '../../../../contracts/change-names.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { ContentTypeRow, FieldRow } from '../../../persistence/models/content.js';
import { authorize } from '../../../access/authorize.js';
import { anyValue, readableValues } from '../../../access/grants.js';
import { Repository, type PageQuery } from '../../../persistence/repositories/repository.js';
import { titleFieldOf } from '../../../content/slug-field.js';

export type { ContentTypeRow, FieldRow };

/** A content type with its fields and the number of its entries. */
export interface WholeContentType {
  readonly type: ContentTypeRow;
  /** In order of position. */
  readonly fields: readonly FieldRow[];
  readonly entryCount: number;
}

/** A change of a type or of its fields, as the audit record shows it. */
interface ContentTypeChange {
  readonly action: AuditAction;
  readonly before: WholeContentType | null;
  readonly after: WholeContentType | null;
}

/** Content types and their fields. */
export class ContentTypeRepository extends Repository {
  async list(query: PageQuery): Promise<Page<WholeContentType>> {
    const { items, total } = await this.page(this.bound.models.contentTypes, this.#readable, query);
    return { items: await this.#complete(items), total };
  }

  /**
   * A type that the actor may read and do this to.
   * @throws AppError 404 `content_type_not_found`, 403 `permission_denied`
   */
  async find(apiName: string, action: 'read' | 'update' | 'delete' = 'read'): Promise<WholeContentType> {
    const { models, transaction } = this.bound;
    const found = await models.contentTypes.findOne({ where: { ...this.#readable, apiName }, transaction });
    const [whole] = found === null ? [] : await this.#complete([found.get()]);
    if (whole === undefined) throw new AppError('content_type_not_found');
    authorize(this.bound, `contentTypes.${action}`, { contentTypeId: whole.type.id, ...anyValue });
    return whole;
  }

  async insert(type: ContentTypeRow, fields: readonly FieldRow[]): Promise<void> {
    const { models, transaction } = this.bound;
    const taken = () => new AppError('api_name_conflict', { apiName: type.apiName });
    await this.mapViolations(models.contentTypes.create(type, { transaction }), {
      content_types_api_name_key: taken,
      content_types_type_name_key: taken,
    });
    if (fields.length > 0) await models.fields.bulkCreate([...fields], { transaction });
    this.note({ action: 'content_type.create', before: null, after: { type, fields, entryCount: 0 } });
  }

  /** Writes a type and those of its fields that differ; the caller notes the change. */
  async save(before: WholeContentType, after: WholeContentType): Promise<void> {
    const { models, transaction } = this.bound;
    const where = { ...this.#scope, id: before.type.id };
    await models.contentTypes.update(after.type, { where, transaction });
    const known = new Map(before.fields.map((field) => [field.id, field]));
    for (const field of after.fields) {
      const old = known.get(field.id);
      if (old === undefined) await models.fields.create(field, { transaction });
      else if (old !== field)
        await models.fields.update(field, { where: { ...this.#scope, id: field.id }, transaction });
      known.delete(field.id);
    }
    if (known.size > 0)
      await models.fields.destroy({ where: { ...this.#scope, id: [...known.keys()] }, transaction });
  }

  /** Removes a type with its fields and its soft-deleted entries. */
  async remove(whole: WholeContentType): Promise<void> {
    const { models, transaction } = this.bound;
    await models.contentTypes.destroy({ where: { ...this.#scope, id: whole.type.id }, transaction });
    this.note({ action: 'content_type.delete', before: whole, after: null });
  }

  /** Notes one change for the audit record. */
  note({ action, before, after }: ContentTypeChange): void {
    const { id, name } = (after ?? before)?.type ?? { id: '', name: '' };
    this.record({
      action,
      target: { type: 'content_type', id, name },
      before: before && { ...before.type, fields: before.fields },
      after: after && { ...after.type, fields: after.fields },
    });
  }

  async #complete(types: readonly ContentTypeRow[]): Promise<WholeContentType[]> {
    const { models, transaction } = this.bound;
    const ids = types.map(({ id }) => id);
    const fields = await models.fields.findAll({
      where: { ...this.#scope, contentTypeId: ids },
      order: ['position', 'id'],
      transaction,
    });
    const counts = await this.query<{ id: string; count: number }>(
      `SELECT content_type_id AS id, count(*)::int AS count FROM entries
       WHERE environment_id = $1 AND content_type_id = ANY($2::uuid[]) AND deleted_at IS NULL GROUP BY 1`,
      [this.environmentId, ids],
    );
    return types.map((type) => ({
      type,
      fields: fields.map((row) => row.get()).filter(({ contentTypeId }) => contentTypeId === type.id),
      entryCount: counts.find(({ id }) => id === type.id)?.count ?? 0,
    }));
  }

  /** The types that the actor may read. */
  get #readable() {
    const ids = readableValues(this.bound.scope, 'contentTypes', 'contentTypes');
    return { ...this.#scope, ...(ids !== null && { id: [...ids] }) };
  }

  get #scope() {
    return { tenantId: this.tenantId, environmentId: this.environmentId };
  }
}

/** Counts entries of types that may have one per site only. */
export class SingletonRepository extends Repository {
  /** Whether some site has more than one entry of the type. */
  async isRepeated(contentTypeId: string): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND deleted_at IS NULL
       GROUP BY site_id HAVING count(*) > 1 LIMIT 1`,
      [this.environmentId, contentTypeId],
    );
    return rows.length > 0;
  }
}

/** Stored titles of entries, which lists show and search. */
export class TitleRepository extends Repository {
  /**
   * Updates the titles of a type's entries if another field titles them.
   * @param isMoved whether values were moved between locales and entries
   */
  async follow(before: WholeContentType, after: WholeContentType, isMoved = false): Promise<void> {
    const field = titleFieldOf({ ...after.type, fields: after.fields });
    if (!isMoved && field === titleFieldOf({ ...before.type, fields: before.fields })) return;
    await this.query(
      `UPDATE entry_locales l SET title = coalesce(nullif(left(trim(regexp_replace(
           coalesce(l.fields ->> $3, e.shared_fields ->> $3, ''), '\\s+', ' ', 'g')), 300), ''), l.slug)
       FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2
         AND l.environment_id = e.environment_id AND l.entry_id = e.id`,
      [this.environmentId, after.type.id, field ?? ''],
    );
  }
}
