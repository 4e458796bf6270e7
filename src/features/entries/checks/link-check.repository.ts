import type { Catalog } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { linkRows } from '../link-rows.js';
import type { LinkRow } from '../entry.repository.js';

/** A stored link without a value, or a value without its stored link. */
export interface LinkDifference {
  readonly entryId: string;
  readonly problem: 'missing' | 'left over';
}

interface Row {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly sharedFields: FieldValues;
  readonly locales: Readonly<Record<string, FieldValues>>;
  readonly links: readonly LinkRow[];
}

const BATCH = 500;

const keyOf = ({ fieldId, locale, targetId }: LinkRow): string => `${fieldId} ${locale} ${targetId}`;

/** Compares stored links with the drafts. */
export class LinkCheckRepository extends Repository {
  async differences(catalog: Catalog, limit: number): Promise<LinkDifference[]> {
    await this.allowTime(600);
    const found: LinkDifference[] = [];
    let last = '00000000-0000-0000-0000-000000000000';
    for (let rows = await this.#after(last); rows.length > 0; rows = await this.#after(last)) {
      found.push(...rows.flatMap((row) => differencesOf(row, catalog)));
      last = rows.at(-1)?.entryId ?? last;
    }
    return found.slice(0, limit);
  }

  #after(entryId: string): Promise<Row[]> {
    return this.query<Row>(
      `SELECT e.id AS "entryId", e.content_type_id AS "contentTypeId", e.shared_fields AS "sharedFields",
         (SELECT jsonb_object_agg(l.locale, l.fields) FROM entry_locales l
           WHERE l.environment_id = e.environment_id AND l.entry_id = e.id) AS locales,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('fieldId', k.field_id, 'locale', k.locale, 'targetId', k.target_id,
             'isMedia', k.is_media)), '[]')
           FROM entry_links k WHERE k.environment_id = e.environment_id AND k.entry_id = e.id) AS links
       FROM entries e WHERE e.environment_id = $1 AND e.id > $2::uuid ORDER BY e.id LIMIT $3`,
      [this.environmentId, entryId, BATCH],
    );
  }
}

function differencesOf(row: Row, catalog: Catalog): LinkDifference[] {
  const type = catalog.contentTypeById(row.contentTypeId);
  if (type === undefined) return [];
  const made = Object.entries(row.locales).flatMap(([locale, fields]) =>
    linkRows(type, { ...row.sharedFields, ...fields }, locale),
  );
  const expected = new Set(made.map(keyOf));
  const kept = new Set(row.links.map(keyOf));
  const { entryId } = row;
  return [
    ...[...expected].filter((key) => !kept.has(key)).map(() => ({ entryId, problem: 'missing' as const })),
    ...[...kept].filter((key) => !expected.has(key)).map(() => ({ entryId, problem: 'left over' as const })),
  ];
}
