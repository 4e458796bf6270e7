import { z } from 'zod';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { ProvenIdentity } from '../../../infrastructure/sign-on/identity-provider.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { newAccount } from '../../access/users/index.js';
import { IdentityRepository, type SignedOnUser } from './identity.repository.js';
import type { SignOnRow } from './sign-on.repository.js';

interface SignOnOfUser {
  readonly tenantId: string;
  readonly issuer: string;
  readonly signOn: SignOnRow;
  readonly identity: ProvenIdentity;
}

const failed = (reason: string): AppError => new AppError('sign_on_failed', { reason });

const Address = z.email().max(320);

/** Null unless the provider has verified it: an address that anybody may claim opens no account. */
function verifiedAddress({ email, isEmailVerified }: ProvenIdentity): string | null {
  if (!isEmailVerified) return null;
  const { success, data } = Address.safeParse(email);
  return success ? data : null;
}

/** One line, without control characters; undefined if nothing is left. */
function nameOf({ name }: ProvenIdentity): string | undefined {
  const line = (name ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, limits.nameLength);
  return line === '' ? undefined : line;
}

/** @throws AppError 401 `sign_on_failed`, 422 `limit_reached` */
async function newUser(
  work: UnitOfWork,
  { tenantId, signOn, identity }: SignOnOfUser,
  email: string,
): Promise<SignedOnUser> {
  if (!signOn.createsAccounts) throw failed('no_account');
  const users = work.use(IdentityRepository);
  await users.assertRoom(tenantId);
  const account = newAccount(work, { tenantId, email, name: nameOf(identity), passwordHash: null });
  return users.insert({ ...account, status: 'active' });
}

/** The user of the identity, else of its verified address, else a new one. */
async function findUser(
  work: UnitOfWork,
  { tenantId, issuer, ...rest }: SignOnOfUser,
): Promise<SignedOnUser> {
  const users = work.use(IdentityRepository);
  const link = { tenantId, issuer, subject: rest.identity.subject };
  const address = verifiedAddress(rest.identity);
  await users.holdIdentity(link);
  const linked = await users.linkedUser(link);
  if (linked !== undefined) {
    const hasMoved = address !== null && address.toLowerCase() !== linked.email.toLowerCase();
    return hasMoved ? users.moveTo(linked, address) : linked;
  }
  if (address === null) throw failed('email_not_verified');
  const known = await users.byAddress(tenantId, address);
  const user = known ?? (await newUser(work, { tenantId, issuer, ...rest }, address));
  await users.link(link, user);
  return user;
}

/**
 * Finds, links or creates the account of a user whom the provider has identified, and gives it the roles of its groups.
 * @throws AppError 401 `sign_on_failed` with `details.reason`, 422 `limit_reached`
 */
export async function accountFor(work: UnitOfWork, signedOn: SignOnOfUser): Promise<SignedOnUser> {
  const { tenantId, signOn, identity } = signedOn;
  const groups = new Set(identity.groups);
  const given = signOn.groupRoles.filter(({ group }) => groups.has(group));
  if (signOn.requiresGroup && given.length === 0) throw failed('missing_group');
  const user = await findUser(work, signedOn);
  if (user.status === 'suspended') throw failed('account_suspended');
  const users = work.use(IdentityRepository);
  const active = await users.activate(user);
  await users.setRoles(active, { tenantId, managed: signOn.groupRoles, given });
  return active;
}
