import type { FieldValues } from '../../../content/validate-fields.js';
import { withDefaults } from '../drafts/new-entry.js';
import type { NestedBlock } from './nested-block.js';

/** The values that a request gives a block, with the defaults of a new one. */
export const givenValues = ({ isNew, type, fields }: NestedBlock): FieldValues =>
  isNew ? withDefaults(type, fields) : fields;
