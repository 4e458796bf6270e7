import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { User } from '../../../contracts/resources/user.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { MemberRepository } from './member.repository.js';
import { presentUser } from './user.presenter.js';

export async function getUser(work: UnitOfWork, input: InputOf<typeof users.get>): Promise<{ data: User }> {
  return { data: presentUser(await work.use(MemberRepository).find(input.id)) };
}
