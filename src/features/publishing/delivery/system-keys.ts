import type { FilterOperator } from '../../../../contracts/publishing/delivery/filters.js';

/** System keys of an entry that lists filter by (rule delivery/filters). */
export type SystemKey = '_slug' | '_id' | '_publishedAt';

interface SystemKeyRule {
  /** SQL type of the compared values. */
  readonly type: 'text' | 'uuid' | 'timestamptz';
  readonly comparison: 'string' | 'id' | 'time';
  readonly operators: readonly FilterOperator[];
}

const equality: readonly FilterOperator[] = ['eq', 'ne', 'in', 'nin', 'exists'];
const order: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte'];

export const systemKeys: Readonly<Record<SystemKey, SystemKeyRule>> = {
  _slug: { type: 'text', comparison: 'string', operators: [...equality, ...order, 'contains'] },
  _id: { type: 'uuid', comparison: 'id', operators: equality },
  _publishedAt: { type: 'timestamptz', comparison: 'time', operators: [...equality, ...order] },
};

export const isSystemKey = (name: string): name is SystemKey => Object.hasOwn(systemKeys, name);
