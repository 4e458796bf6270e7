import type { FieldDefinition } from '../../../content/catalog.js';
import { prepareField } from '../../../content/validate-fields.js';
import { Turns } from '../../../infrastructure/turns.js';

/** Reads JSON Schemas that no check has used yet, one after the other: each may take milliseconds. */
export async function prepareFields(fields: Iterable<FieldDefinition>): Promise<void> {
  const turns = new Turns();
  for (const field of fields) if (prepareField(field)) await turns.pause();
}
