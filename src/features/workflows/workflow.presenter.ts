import type { Workflow } from '../../../contracts/resources/workflow.js';
import type { Catalog } from '../../content/catalog.js';
import type { WorkflowRow } from './workflow.repository.js';

export function presentWorkflow(row: WorkflowRow, catalog: Catalog): Workflow {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    isDefault: row.isDefault,
    contentTypes: row.contentTypeIds.flatMap((id) => catalog.contentTypeById(id)?.apiName ?? []),
    siteIds: row.siteIds,
    enforcement: row.enforcement,
    perLocale: row.perLocale,
    states: row.states as Workflow['states'],
    transitions: row.transitions as Workflow['transitions'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
