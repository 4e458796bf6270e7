import { isObject } from '../exact-json/is-object.js';
import type { FieldValues } from './field-definition.js';

/** A block that belongs to its entry, as it is stored and as management returns it (rule entries/own-blocks). */
export interface OwnBlock {
  /** Its id, lowercase. */
  readonly _ref: string;
  /** `apiName` of its type. */
  readonly _type: string;
  /** Of another system; unique in the entry. */
  readonly _externalId?: string;
  readonly fields: FieldValues;
}

/** A stored item with `fields` is a block of the entry; without, it links a shared block. */
export const isOwnBlock = (item: unknown): item is OwnBlock =>
  isObject(item) && isObject(item.fields) && typeof item._ref === 'string' && typeof item._type === 'string';
