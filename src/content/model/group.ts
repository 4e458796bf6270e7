import type { FieldDefinition } from './field-definition.js';

type GroupField = Pick<FieldDefinition, 'settings' | 'validations'>;

/**
 * Whether clients read and write the blocks of a field as one object (rule content/groups). It is stored as a list, and
 * delivered as an object.
 */
export const isGroup = ({ settings, validations }: GroupField): boolean =>
  (settings as { shape?: string }).shape === 'group' && validations.maxItems === 1;
