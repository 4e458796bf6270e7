import type { SealedBox } from '../../../access/sealed-box.js';
import type { Logger } from '../../../infrastructure/logger.js';
import type { MailFailure, OutgoingMail } from '../../../infrastructure/mail/smtp-sender.js';
import {
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { isMailKind, mailLanguage, oneLine, renderMail } from './mail-kinds.js';
import { MailRepository, type ClaimedMail, type MailSettlement } from './mail.repository.js';

/** Seconds before each further attempt, about a day in total. */
const retrySeconds: readonly number[] = [10, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 28_800];
/** Mails that a process sends at once. */
const AT_ONCE = 10;
/** Exceeds the duration of an attempt and its record; then the claiming process counts as dead. */
const LEASE_SECONDS = 120;
const NAME_LENGTH = 120;

export interface MailServices {
  /** Undefined without `SMTP_URL`. */
  readonly send: ((mail: OutgoingMail) => Promise<MailFailure | undefined>) | undefined;
  /** `MAIL_FROM`. */
  readonly from: { readonly name: string; readonly address: string };
  /** Encrypts links with a token while they wait. */
  readonly secretBox: SealedBox;
  /** A page of the admin app; the token is in the fragment, which is in no log. */
  linkTo(page: 'invitation' | 'password', token: string): string;
}

interface MailWorkParts extends MailServices {
  readonly units: UnitOfWorkFactory;
  readonly logger: Pick<Logger, 'warn'>;
  newId(): string;
}

interface Attempted {
  readonly mail: ClaimedMail;
  readonly failure: MailFailure | undefined;
}

/** The outcome of a mail that no attempt can send. */
class Unsendable extends Error {}

const nameOf = (text: string): string => oneLine(text).slice(0, NAME_LENGTH);

/** Sends queued mails. Any number of processes may run it: each mail is claimed in the database. */
export class MailWork {
  #isStopping = false;

  constructor(private readonly parts: MailWorkParts) {}

  stop(): void {
    this.#isStopping = true;
  }

  /** Attempts everything that is due; returns how many mails. */
  async run(): Promise<number> {
    if (this.parts.send === undefined)
      return this.#inPlatform((work) => work.use(MailRepository).giveUp('no_server'));
    let attempted = 0;
    for (let made = AT_ONCE; made === AT_ONCE && !this.#isStopping; attempted += made)
      made = await this.#round();
    return attempted;
  }

  async #round(): Promise<number> {
    const claim = this.parts.newId();
    const mails = await this.#inPlatform((work) =>
      work.use(MailRepository).claim({
        claim,
        leaseEnd: new Date(work.now.getTime() + LEASE_SECONDS * 1000),
        limit: AT_ONCE,
      }),
    );
    if (mails.length === 0) return 0;
    const attempted = await Promise.all(mails.map((mail) => this.#attempt(mail)));
    await this.#inPlatform((work) =>
      work.use(MailRepository).settle(
        claim,
        attempted.map((one) => this.#settlementOf(one, work.now)),
      ),
    );
    return mails.length;
  }

  async #attempt(mail: ClaimedMail): Promise<Attempted> {
    try {
      return { mail, failure: await this.parts.send?.(this.#messageOf(mail)) };
    } catch (error) {
      const reason = error instanceof Unsendable ? error.message : 'unreadable';
      return { mail, failure: { isFinal: true, reason } };
    }
  }

  #messageOf(mail: ClaimedMail): OutgoingMail {
    const { id, tenantId, kind, recipient, recipientName, payload, sealedUrl, sender } = mail;
    if (!isMailKind(kind)) throw new Unsendable('unknown_kind');
    const { from, secretBox } = this.parts;
    const url = sealedUrl === null ? payload.url : secretBox.openText(sealedUrl, id);
    if (url === undefined) throw new Unsendable('link_unreadable');
    const rendered = renderMail(kind, { values: payload.values, url, language: mailLanguage(mail.language) });
    return {
      ...rendered,
      // The same for every attempt: servers that got one twice can tell.
      messageId: `<${id}.${tenantId}@${from.address.split('@')[1] ?? 'localhost'}>`,
      from: { name: nameOf(sender.name ?? from.name), address: sender.address ?? from.address },
      replyTo: sender.replyTo ?? undefined,
      to: { name: nameOf(recipientName), address: recipient },
    };
  }

  #settlementOf({ mail, failure }: Attempted, now: Date): MailSettlement {
    const { tenantId, id, attempts, givesUpAt, kind } = mail;
    if (failure === undefined) return { tenantId, id, status: 'sent', outcome: null, nextAttemptAt: now };
    const pause = retrySeconds[attempts - 1];
    const next = new Date(now.getTime() + (pause ?? 0) * 1000);
    if (!failure.isFinal && pause !== undefined && next < givesUpAt)
      return { tenantId, id, status: 'pending', outcome: failure.reason, nextAttemptAt: next };
    this.parts.logger.warn({ mailId: id, kind, attempts, reason: failure.reason }, 'mail given up');
    return { tenantId, id, status: 'failed', outcome: failure.reason, nextAttemptAt: now };
  }

  #inPlatform<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.parts.units.run({ scope: systemScope(), isReadOnly: false, lock: 'none' }, run);
  }
}
