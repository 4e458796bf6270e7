import { reference } from './reference.js';
import type { FieldKindRules } from './rules.js';

/** Links to entries that are parts of the page. Stored as a {@link reference} is, always as a list. */
export const blocks: FieldKindRules = { ...reference, isAlwaysList: true, takesBlocks: true };
