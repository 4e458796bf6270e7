import { limits } from '../../../../contracts/limits.js';
import { AppError } from '../../../../contracts/errors.js';
import type { User, InvitedUser } from '../../../../contracts/access/users/user.js';
import type { users } from '../../../../contracts/access/users/users.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { queueMail, type MailServices } from '../mail/index.js';
import { PasswordResetRepository } from '../sessions/index.js';
import { MemberRepository, type Member, type UserRow } from './member.repository.js';
import { assertKeyMayChange, assertMayAssign, findRoles, presentUser } from './user.policy.js';

const escalation = (): AppError =>
  new AppError(
    'privilege_escalation',
    undefined,
    'The link would open other projects of the user. Only owners and admins of all of them can have it.',
  );

/** The link opens every project of the account: users get it who lead all of them. Keys never do (rule access/key-limits). */
async function mayHoldLink(work: UnitOfWork, member: Member): Promise<boolean> {
  const { actor, isSuperAdmin } = work.scope;
  if (actor.type !== 'user') return false;
  if (isSuperAdmin === true || member.projectCount === 1) return true;
  return work.use(MemberRepository).leadsEveryProjectOf(actor.id ?? '', member.id);
}

/**
 * Invites an account without a password: by mail if there is a mail server, else by the link that is returned. Ends
 * the account's earlier link.
 * @returns null if the mail is queued, if the account needs no invitation, or if the caller may not have the link
 */
export async function invite(work: UnitOfWork, member: Member, mail: MailServices): Promise<string | null> {
  const links = work.use(PasswordResetRepository);
  // Another project has it perhaps, and must not come into this one.
  await links.end(member.id, 'replaced');
  const isMailed = mail.send !== undefined;
  if (member.status !== 'invited' || (!isMailed && !(await mayHoldLink(work, member)))) return null;
  const members = work.use(MemberRepository);
  const { tenantId, projectId } = work.scope;
  const ids = { tenantId: tenantId ?? '', projectId: projectId ?? '' };
  const { resetToken, expiresAt } = await links.issue({ ...ids, userId: member.id, kind: 'invitation' });
  const url = mail.linkTo('invitation', resetToken);
  if (isMailed)
    await queueMail(work, {
      kind: 'invitation',
      to: { email: member.email, name: member.name, userId: member.id },
      values: {
        project: await members.projectName(),
        inviter: work.scope.actor.name,
        days: limits.invitationSeconds / 86_400,
      },
      url,
      secretBox: mail.secretBox,
      givesUpAt: expiresAt,
    });
  members.noteInvitation('user.invite', member, { expiresAt: expiresAt.toISOString(), isMailed });
  return isMailed ? null : url;
}

interface NewOwner {
  readonly owner: Pick<UserRow, 'id' | 'email' | 'name'>;
  readonly tenant: { readonly id: string; readonly name: string };
  /** Undefined while the tenant has none. */
  readonly project: { readonly id: string; readonly name: string } | undefined;
}

/** The owner of a new tenant. Without a mail server, the link is made in a project of the tenant. */
export async function inviteOwner(
  work: UnitOfWork,
  { owner, tenant, project }: NewOwner,
  mail: MailServices,
): Promise<void> {
  if (mail.send === undefined) return;
  const ids = { tenantId: tenant.id, userId: owner.id, projectId: project?.id };
  const { resetToken, expiresAt } = await work
    .use(PasswordResetRepository)
    .issue({ ...ids, kind: 'invitation' });
  await queueMail(work, {
    kind: 'invitation',
    tenantId: tenant.id,
    to: { email: owner.email, name: owner.name, userId: owner.id },
    values: {
      project: project?.name ?? tenant.name,
      inviter: work.scope.actor.name,
      days: limits.invitationSeconds / 86_400,
    },
    url: mail.linkTo('invitation', resetToken),
    secretBox: mail.secretBox,
    givesUpAt: expiresAt,
  });
}

/** @throws AppError 409 `conflict` for a member who needs no invitation */
export async function inviteAgain(
  work: UnitOfWork,
  { id }: InputOf<typeof users.invite>,
  mail: MailServices,
): Promise<{ data: InvitedUser }> {
  const members = work.use(MemberRepository);
  const member = await members.find(id);
  if (member.status !== 'invited' || member.isSuspended)
    throw new AppError(
      'conflict',
      undefined,
      'Only members who have not accepted their invitation can be invited.',
    );
  if (mail.send === undefined) {
    const ids = member.roles.map((role) => role.id);
    await assertMayAssign(work, await findRoles(work, ids));
    if (!(await mayHoldLink(work, member))) throw escalation();
  }
  const invitationUrl = await invite(work, member, mail);
  return { data: { ...presentUser(await members.find(member.id)), invitationUrl } };
}

/** The member stays, and can be invited again. */
export async function revokeInvitation(
  work: UnitOfWork,
  { id }: InputOf<typeof users.revokeInvitation>,
): Promise<{ data: User }> {
  const members = work.use(MemberRepository);
  const member = await members.find(id);
  await assertKeyMayChange(work, member);
  if (member.invitation === null) return { data: presentUser(member) };
  await work.use(PasswordResetRepository).end(member.id, 'revoked');
  members.noteInvitation('user.invitation_revoke', member, null);
  return { data: presentUser(await members.find(member.id)) };
}
