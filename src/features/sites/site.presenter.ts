import type { Site } from '../../../contracts/resources/site.js';
import type { SiteRow } from './site.repository.js';

export function presentSite(row: SiteRow): Site {
  const { tenantId: _tenant, projectId: _project, createdAt, updatedAt, ...site } = row;
  return { ...site, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
