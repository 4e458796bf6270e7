import { limits } from '../../../../contracts/limits.js';
import type { sessions } from '../../../../contracts/access/sessions/sessions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import {
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { queueMail, type MailServices } from '../mail/index.js';
import { PasswordResetRepository, type LinkAccount } from './account-link.repository.js';

/** Does the same for every address, known or not; accounts are looked up by {@link sendResets}. */
export async function forgotPassword(
  work: UnitOfWork,
  { email, tenantSlug }: InputOf<typeof sessions.forgotPassword>,
): Promise<{ data: { accepted: true } }> {
  await work.use(PasswordResetRepository).request(email, tenantSlug ?? null);
  return { data: { accepted: true } };
}

/** For the page behind a link, before it takes a password. */
export async function readAccountLink(
  work: UnitOfWork,
  { resetToken }: InputOf<typeof sessions.readLink>,
): Promise<{ data: LinkAccount }> {
  return { data: await work.use(PasswordResetRepository).read(resetToken) };
}

interface ResetMail {
  readonly tenantId: string;
  readonly to: { readonly email: string; readonly name: string; readonly userId: string };
  readonly tenantName: string;
}

/** Issues a token that sets a new password, and queues the mail with its link if there is a mail server. */
export async function issueReset(
  work: UnitOfWork,
  { tenantId, to, tenantName }: ResetMail,
  mail: MailServices,
): Promise<{ resetToken: string; url: string; expiresAt: Date }> {
  const link = { tenantId, userId: to.userId, kind: 'reset' } as const;
  const { resetToken, expiresAt } = await work.use(PasswordResetRepository).issue(link);
  const url = mail.linkTo('password', resetToken);
  if (mail.send !== undefined)
    await queueMail(work, {
      kind: 'passwordReset',
      tenantId,
      to,
      url,
      secretBox: mail.secretBox,
      givesUpAt: expiresAt,
      values: { tenant: tenantName, minutes: limits.passwordResetSeconds / 60 },
    });
  return { resetToken, url, expiresAt };
}

/** Looks up the accounts of requested resets, and queues their mails; returns how many requests. */
export async function sendResets(units: UnitOfWorkFactory, mail: MailServices): Promise<number> {
  const request = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;
  return units.run(request, async (work) => {
    const links = work.use(PasswordResetRepository);
    const requests = await links.takeRequests();
    if (mail.send === undefined) return requests.length;
    for (const one of requests)
      for (const account of await links.accounts(one)) {
        const { id: userId, email, name, tenantId, tenantName } = account;
        const { expiresAt } = await issueReset(
          work,
          { tenantId, to: { email, name, userId }, tenantName },
          mail,
        );
        links.noteRequest(account, expiresAt);
      }
    return requests.length;
  });
}
