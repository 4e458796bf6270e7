import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Role } from '../../../contracts/resources/role.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentRole } from './role.presenter.js';
import { RoleRepository } from './role.repository.js';

export async function getRole(work: UnitOfWork, input: InputOf<typeof roles.get>): Promise<{ data: Role }> {
  return { data: presentRole(await work.use(RoleRepository).find(input.id)) };
}
