import type { User } from '../../../contracts/resources/user.js';
import type { Member } from './member.repository.js';

export function presentUser(member: Member): User {
  const { id, email, name, avatarUrl, roles, status, isSuspended, lastActiveAt, createdAt } = member;
  return {
    id,
    email,
    name,
    avatarUrl,
    roles: roles.map((role) => ({ id: role.id, name: role.name })),
    status: isSuspended ? 'suspended' : status,
    lastActiveAt: lastActiveAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
