import type { FieldKindRules } from './rules.js';
import { reference } from './reference.js';

/**
 * A link to an entry that is part of the page. Written and stored as a {@link reference} is, but no
 * kind to change to or from: delivery and editors treat the two differently.
 */
export const blocks: FieldKindRules = { ...reference, canBecome: [] };
