import type { Project } from '../../../../contracts/tenancy/tenants/tenant.js';
import { type ProjectRow, ProjectRepository } from './project.repository.js';
import type { projects } from '../../../../contracts/tenancy/projects/projects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { RoleRepository } from '../../access/roles/index.js';
import { TenantOwnerRepository } from '../../access/users/index.js';
import { DefaultWorkflowRepository } from '../../environments/environments/index.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';

function presentProject({ id, slug, name, createdAt, updatedAt }: ProjectRow): Project {
  return { id, slug, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Adds a project with the environment `main`, system roles, the default workflow and tenant owners. Needs an entered tenant. */
export async function addProject(
  work: UnitOfWork,
  tenantId: string,
  input: { slug: string; name: string },
): Promise<ProjectRow> {
  const { now } = work;
  const project: ProjectRow = {
    tenantId,
    id: work.newId(),
    slug: input.slug,
    name: input.name,
    createdAt: now,
    updatedAt: now,
  };
  const projects = work.use(ProjectRepository);
  await projects.assertProjectLimit(tenantId);
  const environmentId = work.newId();
  await projects.insertWithEnvironment(project, environmentId);
  await work.use(DefaultWorkflowRepository).insertDefault(tenantId, environmentId);
  const roles = await work.use(RoleRepository).insertSystemRoles(tenantId, project.id);
  const owner = roles.find(({ slug }) => slug === 'owner');
  if (owner !== undefined) await work.use(TenantOwnerRepository).enterProject(tenantId, project.id, owner.id);
  return project;
}

export async function createProject(
  work: UnitOfWork,
  input: InputOf<typeof projects.create>,
): Promise<{ data: Project }> {
  const projects = work.use(ProjectRepository);
  const project = await addProject(work, await projects.enterTenant(input.tenantSlug), input);
  projects.note('create', null, project);
  return { data: presentProject(project) };
}

export async function listProjects(
  work: UnitOfWork,
  input: InputOf<typeof projects.list>,
): Promise<{ data: Project[]; meta: PageMeta }> {
  const projects = work.use(ProjectRepository);
  const tenantId = await projects.enterTenant(input.tenantSlug);
  const { items, total } = await projects.listByTenant(tenantId, input);
  return listEnvelope({ items: items.map(presentProject), total }, input);
}
