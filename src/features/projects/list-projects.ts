import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { projects } from '../../../contracts/platform/projects.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Project } from '../../../contracts/resources/tenant.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentProject } from './project.presenter.js';
import { ProjectRepository } from './project.repository.js';

export async function listProjects(
  work: UnitOfWork,
  input: InputOf<typeof projects.list>,
): Promise<{ data: Project[]; meta: PageMeta }> {
  const projects = work.use(ProjectRepository);
  const tenantId = await projects.enterTenant(input.tenantSlug);
  const { items, total } = await projects.listByTenant(tenantId, input);
  return listEnvelope({ items: items.map(presentProject), total }, input);
}
