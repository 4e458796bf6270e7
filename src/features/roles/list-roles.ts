import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Role } from '../../../contracts/resources/role.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentRole } from './role.presenter.js';
import { RoleRepository } from './role.repository.js';

export async function listRoles(
  work: UnitOfWork,
  input: InputOf<typeof roles.list>,
): Promise<{ data: Role[]; meta: PageMeta }> {
  const { items, total } = await work.use(RoleRepository).list(input);
  return listEnvelope({ items: items.map(presentRole), total }, input);
}
