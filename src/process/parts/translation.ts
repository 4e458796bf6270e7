import { isSmtpOutage, SmtpSender } from '../../infrastructure/mail/smtp-sender.js';
import type { MailServices } from '../../features/access/mail/index.js';
import type { SealedBox } from '../../access/sealed-box.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import {
  HttpTranslator,
  TranslatorFailure,
  type Translator,
  type TranslatorSettings,
} from '../../infrastructure/translator/http-translator.js';

export interface TranslationOptions {
  /** Instead of one at a URL. */
  readonly translator?: Translator | undefined;
  readonly translation?: Omit<TranslatorSettings, 'neighbour'> | undefined;
}

/** Engines translate a file before they send its first byte. */
const COMPUTING = 6;

export function openTranslator(
  { translator, translation }: TranslationOptions,
  neighbours: Neighbours,
): Translator | undefined {
  if (translation === undefined) return translator;
  const neighbour = neighbours.open({
    name: 'translator',
    places: neighbours.places({ most: 4, lineMs: 10_000 }),
    stallMs: COMPUTING * neighbours.stallMs,
    isOutage: (error) => !(error instanceof TranslatorFailure && error.kind === 'failed'),
  });
  return new HttpTranslator({ ...translation, neighbour });
}

export interface MailOptions {
  /** Unset: no mails are sent. */
  readonly smtp?: { readonly url: string; readonly name: string; readonly address: string } | undefined;
}

/** Connections to the mail server. */
const MAIL_CONNECTIONS = 4;

export function openMail(
  { smtp }: MailOptions,
  {
    neighbours,
    secretBox,
    baseUrl,
  }: { readonly neighbours: Neighbours; readonly secretBox: SealedBox; readonly baseUrl: string },
): MailServices {
  const linkTo: MailServices['linkTo'] = (page, token) => `${baseUrl}/admin/${page}#token=${token}`;
  if (smtp === undefined) return { send: undefined, from: { name: '', address: '' }, secretBox, linkTo };
  const { url, name, address } = smtp;
  const neighbour = neighbours.open({
    name: 'mail',
    places: neighbours.places({ most: MAIL_CONNECTIONS }),
    isOutage: isSmtpOutage,
  });
  const sender = new SmtpSender({ url, neighbour });
  return { send: (mail) => sender.send(mail), from: { name, address }, secretBox, linkTo };
}
