import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { SchemaDocument } from '../../../contracts/vocabulary/schema-document.js';
import type { schema } from '../../../contracts/vocabulary/schema.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { compactDocument } from '../../content/schema/index.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { readSchema } from './store/read-schema.js';
import { readableSections } from './store/schema.policy.js';

interface SchemaExport {
  schema: SchemaDocument;
  yaml?: string;
  fileName?: string;
}

/** The schema by name, in an order that depends on nothing but the names. */
export async function exportSchema(
  work: UnitOfWork,
  { format, projectSlug }: InputOf<typeof schema.export>,
): Promise<{ data: SchemaExport }> {
  const { model } = await readSchema(work);
  const limit = limits.schemaContentTypes;
  if (model.contentTypes.length > limit) throw new AppError('limit_reached', { limit });
  const document = compactDocument(readableSections(work, model));
  if (format === 'json') return { data: { schema: document } };
  const { stringify } = await import('yaml');
  // Anchors would make a change of one place look like a change of another.
  const yaml = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  return { data: { schema: document, yaml, fileName: `${projectSlug}.schema.yaml` } };
}
