import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { UserRow } from './member.repository.js';

/** What a new account is made of. */
export interface AccountWish {
  readonly tenantId: string;
  readonly email: string;
  readonly name?: string | undefined;
  /** Null invites: the account opens with the first sign-in through an identity provider, or with a password set later. */
  readonly passwordHash: string | null;
}

/** A new account of a tenant; without a name it bears the address's first part. */
export function newAccount(work: UnitOfWork, { tenantId, email, name, passwordHash }: AccountWish): UserRow {
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
