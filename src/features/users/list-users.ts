import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { User } from '../../../contracts/resources/user.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { RoleRepository } from '../roles/index.js';
import { MemberRepository } from './member.repository.js';
import { presentUser } from './user.presenter.js';

export async function listUsers(
  work: UnitOfWork,
  input: InputOf<typeof users.list>,
): Promise<{ data: User[]; meta: PageMeta }> {
  const { limit, page, orderBy, q } = input;
  const role = input.roleId === undefined ? undefined : await work.use(RoleRepository).find(input.roleId);
  const { items, total } = await work.use(MemberRepository).list({
    roleId: role?.id ?? null,
    contains: q ?? null,
    orderBy,
    limit,
    offset: (page - 1) * limit,
  });
  return listEnvelope({ items: items.map(presentUser), total }, input);
}
