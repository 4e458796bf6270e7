import {
  col,
  fn,
  literal,
  Op,
  where as compare,
  type Model,
  type ModelStatic,
  type Order,
  type Transaction,
  type WhereOptions,
} from 'sequelize';
import { inTextOrder } from '../../infrastructure/text-order.js';

/**
 * Sort as `key:asc
 * desc`; filter by part of a name.
 */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly orderBy: string;
  readonly q?: string | undefined;
}

/** A LIKE pattern for "contains"; escapes wildcards. What it is compared with must be in NFC, as it is. */
export function containing(text: string): string {
  return `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
}

const texts: ReadonlySet<string> = new Set(['name', 'slug']);

/** Ties are broken by id. */
export async function findNamedPage<Row extends object>(
  model: ModelStatic<Model<Row, Row>>,
  { page, limit, orderBy, q }: PageQuery,
  { where, transaction }: { where: object; transaction: Transaction },
): Promise<{ items: Row[]; total: number }> {
  const [key = 'updatedAt', direction = 'desc'] = orderBy.split(':');
  const named = q === undefined ? [] : [compare(fn('normalize', col('name')), Op.iLike, containing(q))];
  const order: Order = [
    [texts.has(key) ? literal(inTextOrder(`"${key}"`)) : key, direction],
    ['id', direction],
  ];
  const { rows, count } = await model.findAndCountAll({
    where: { [Op.and]: [where, ...named] } as WhereOptions<Row>,
    order,
    limit,
    offset: (page - 1) * limit,
    transaction,
  });
  return { items: rows.map((row) => row.get()), total: count };
}
