import { v7 as uuid } from 'uuid';
import type { OwnBlock } from '../../content/model/own-block.js';
import type { ContentType } from '../api/project-data.js';

/** A block with its default values. It has its id from the start, so that saving it again changes it. */
export function newBlock({ apiName, fields }: ContentType): OwnBlock {
  const defaults = fields.flatMap((field) =>
    field.defaultValue === null ? [] : [[field.apiName, field.defaultValue] as const],
  );
  return { _ref: uuid(), _type: apiName, fields: Object.fromEntries(defaults) };
}
