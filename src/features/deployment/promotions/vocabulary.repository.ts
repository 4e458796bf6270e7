import { linkKinds } from '../../../content/field-kinds/index.js';
import type { Rename } from '../../../content/renames.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { EnvironmentPair } from './pair.repository.js';

interface NamedType {
  readonly id: string;
  readonly apiName: string;
}

export interface NamedField extends NamedType {
  readonly contentTypeId: string;
  readonly type: string;
  readonly isList: boolean;
}

interface NumberedRename extends Rename {
  readonly contentTypeId: string;
}

export interface VocabularyRows {
  readonly types: readonly NamedType[];
  readonly fields: readonly NamedField[];
  /** In their order. */
  readonly renames: readonly NumberedRename[];
}

/** Names of an environment and the ids behind them, which are the same in its branches. */
export class Vocabulary {
  readonly #typeIds: ReadonlyMap<string, string>;
  readonly #typeNames: ReadonlyMap<string, string>;
  readonly #fields: ReadonlyMap<string, ReadonlyMap<string, NamedField>>;
  readonly #byId: ReadonlyMap<string, NamedField>;

  constructor(private readonly rows: VocabularyRows) {
    this.#typeIds = new Map(rows.types.map(({ id, apiName }) => [apiName, id]));
    this.#typeNames = new Map(rows.types.map(({ id, apiName }) => [id, apiName]));
    const byType = Map.groupBy(rows.fields, ({ contentTypeId }) => contentTypeId);
    this.#fields = new Map(
      [...byType].map(([typeId, fields]) => [typeId, new Map(fields.map((field) => [field.apiName, field]))]),
    );
    this.#byId = new Map(rows.fields.map((field) => [field.id, field]));
  }

  typeName = (id: string): string | undefined => this.#typeNames.get(id);
  field = (id: string): NamedField | undefined => this.#byId.get(id);

  /** The id of a type that had this name when `after` was the last rename; an unknown name is its own id. */
  typeId(name: string, after = Infinity): string {
    const current = this.rows.renames
      .filter(({ kind, number }) => kind === 'contentType' && number > after)
      .reduce((known, { from, to }) => (known === from ? to : known), name);
    return this.#typeIds.get(current) ?? current;
  }

  /** Of a field that had this name when `after` was the last rename, which may be deleted. */
  lastFieldName(contentTypeId: string, name: string, after = Infinity): string {
    return this.rows.renames
      .filter(
        (rename) =>
          rename.kind === 'field' && rename.contentTypeId === contentTypeId && rename.number > after,
      )
      .reduce((known, { from, to }) => (known === from ? to : known), name);
  }

  fieldNamed(contentTypeId: string, name: string, after = Infinity): NamedField | undefined {
    return this.#fields.get(contentTypeId)?.get(this.lastFieldName(contentTypeId, name, after));
  }
}

export const isLink = ({ type }: Pick<NamedField, 'type'>): boolean =>
  (linkKinds as readonly string[]).includes(type);

export class VocabularyRepository extends Repository {
  /** Fields that only the source has, because they were created there since both had a state in common. */
  async created({ source, target, startId }: EnvironmentPair): Promise<Set<string>> {
    const rows = await this.query<{ id: string }>(
      `SELECT f.id FROM fields f
         LEFT JOIN LATERAL (SELECT count(*) > 0 AS is_settled, bool_or(b.part = f.id::text AND b.row IS NOT NULL) AS is_known
           FROM environment_bases b WHERE b.low_id = least($1::uuid, $2::uuid) AND b.high_id = greatest($1::uuid, $2::uuid)
             AND b.kind = 'contentType' AND b.item_id = f.content_type_id) AS base ON true
       WHERE f.environment_id = $1 AND f.id NOT IN (SELECT id FROM fields WHERE environment_id = $2)
         AND NOT CASE WHEN base.is_settled THEN base.is_known ELSE coalesce((
           SELECT c.before IS NOT NULL FROM environment_changes c WHERE c.environment_id = $3 AND c.kind = 'contentType'
             AND c.item_id = f.content_type_id AND c.part = f.id::text ORDER BY c.epoch LIMIT 1),
           EXISTS (SELECT FROM fields k WHERE k.environment_id = $3 AND k.id = f.id)) END`,
      [source.id, target.id, startId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Of an environment that may be deleted. */
  async known(environmentId: string): Promise<Vocabulary> {
    const [former] = await this.query<VocabularyRows>(
      'SELECT types, fields, renames FROM former_vocabularies WHERE tenant_id = $1 AND environment_id = $2',
      [this.tenantId, environmentId],
    );
    return former === undefined ? this.of(environmentId) : new Vocabulary(former);
  }

  async of(environmentId: string): Promise<Vocabulary> {
    const [types, fields, renames] = await Promise.all([
      this.query<NamedType>('SELECT id, api_name AS "apiName" FROM content_types WHERE environment_id = $1', [
        environmentId,
      ]),
      this.query<NamedField>(
        'SELECT id, content_type_id AS "contentTypeId", api_name AS "apiName", type, is_list AS "isList" FROM fields WHERE environment_id = $1',
        [environmentId],
      ),
      this.query<NumberedRename>(
        `SELECT number::float8 AS number, CASE WHEN field_id IS NULL THEN 'contentType' ELSE 'field' END AS kind,
           content_type_id AS "contentTypeId", from_name AS "from", to_name AS "to"
         FROM renames WHERE environment_id = $1 ORDER BY renames.number`,
        [environmentId],
      ),
    ]);
    return new Vocabulary({ types, fields, renames });
  }
}
