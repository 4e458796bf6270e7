import type { Project } from '../../../contracts/resources/tenant.js';
import type { ProjectRow } from './project.repository.js';

export function presentProject({ id, slug, name, createdAt, updatedAt }: ProjectRow): Project {
  return { id, slug, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
