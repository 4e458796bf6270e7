import type { Deleted } from '../../../contracts/envelopes.js';
import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { MemberRepository } from './member.repository.js';
import { assertMayUnmakeOwner } from './user.policy.js';

/** Takes a member out of the project; the account and what the user made stay. */
export async function removeUser(
  work: UnitOfWork,
  input: InputOf<typeof users.remove>,
): Promise<{ data: Deleted }> {
  const members = work.use(MemberRepository);
  const member = await members.find(input.id);
  await assertMayUnmakeOwner(work, member);
  await members.remove(member.id);
  members.note('user.remove', member, null);
  return { data: { id: member.id, deleted: true } };
}
