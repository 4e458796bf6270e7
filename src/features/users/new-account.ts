import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { UserRow } from './member.repository.js';

export interface AccountInput {
  readonly tenantId: string;
  readonly email: string;
  readonly name?: string | undefined;
  /** Null creates an invitation, accepted by the first token of an identity provider or a later password. */
  readonly passwordHash: string | null;
}

/** The name defaults to the local part of the address. */
export function newAccount(work: UnitOfWork, { tenantId, email, name, passwordHash }: AccountInput): UserRow {
  return {
    id: work.newId(),
    tenantId,
    email,
    name: name ?? email.split('@')[0] ?? email,
    passwordHash,
    isSuperAdmin: false,
    status: passwordHash === null ? 'invited' : 'active',
    avatarUrl: null,
    lastActiveAt: null,
    isTenantOwner: false,
    createdAt: work.now,
    updatedAt: work.now,
  };
}
