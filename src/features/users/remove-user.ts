import type { Deleted } from '../../../contracts/envelopes.js';
import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { MemberRepository } from './member.repository.js';
import { assertKeyMayChange, assertMayRemoveOwner } from './user.policy.js';

/** The account and what the user created stay. */
export async function removeUser(
  work: UnitOfWork,
  input: InputOf<typeof users.remove>,
): Promise<{ data: Deleted }> {
  const members = work.use(MemberRepository);
  const member = await members.find(input.id);
  await assertKeyMayChange(work, member);
  await assertMayRemoveOwner(work, member);
  await members.remove(member.id);
  members.note('user.remove', member, null);
  return { data: { id: member.id, deleted: true } };
}
