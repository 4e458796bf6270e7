import { Op, type Model, type ModelStatic, type Order, type Transaction, type WhereOptions } from 'sequelize';

/** Which page of a list to find: its number and length, `key:asc|desc`, and part of a name. */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly orderBy: string;
  readonly q?: string | undefined;
}

/** A LIKE pattern for "contains", its own wildcards taken literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** One page of the rows within `where`, sorted with ties broken by id, and how many there are in all. */
export async function findNamedPage<Row extends object>(
  model: ModelStatic<Model<Row, Row>>,
  { page, limit, orderBy, q }: PageQuery,
  { where, transaction }: { where: object; transaction: Transaction },
): Promise<{ items: Row[]; total: number }> {
  const [key = 'updatedAt', direction = 'desc'] = orderBy.split(':');
  const named = q === undefined ? {} : { name: { [Op.iLike]: containing(q) } };
  const order: Order = [
    [key, direction],
    ['id', direction],
  ];
  const { rows, count } = await model.findAndCountAll({
    where: { ...where, ...named } as WhereOptions<Row>,
    order,
    limit,
    offset: (page - 1) * limit,
    transaction,
  });
  return { items: rows.map((row) => row.get()), total: count };
}
