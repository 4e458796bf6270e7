import type { Transporter } from 'nodemailer';
import { NeighbourFailure, type Neighbour } from '../neighbours/neighbour.js';

export interface SmtpSettings {
  /** `smtp:` or `smtps:`, with the user and password if the server requires them. */
  readonly url: string;
  readonly neighbour: Neighbour;
}

interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface OutgoingMail {
  readonly messageId: string;
  readonly from: MailAddress;
  readonly replyTo?: string | undefined;
  readonly to: MailAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailFailure {
  /** Repeating it cannot help, such as for an address that does not exist. */
  readonly isFinal: boolean;
  /** Without values of the mail. */
  readonly reason: string;
}

/** What nodemailer reports. */
interface SmtpError {
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** Refusals of a mail; all else means that the server does not work. */
const ABOUT_MAIL: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE', 'EREQUIRETLS']);
const PERMANENT = 500;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const isAboutMail = ({ code = '' }: SmtpError): boolean => ABOUT_MAIL.has(code);

/** Whether a failed call means that the server is unavailable. */
export const isSmtpOutage = (error: unknown): boolean => !isAboutMail(error as SmtpError);

function failureOf(error: unknown): MailFailure {
  if (error instanceof NeighbourFailure) return { isFinal: false, reason: error.reason };
  const { code = 'unknown', responseCode } = error as SmtpError;
  const reason = [code.toLowerCase(), ...(responseCode === undefined ? [] : [String(responseCode)])].join(
    ' ',
  );
  return { isFinal: isAboutMail({ code }) && (responseCode ?? 0) >= PERMANENT, reason };
}

/** @param stallMs every step of a connection ends after this time */
function transportOptions(url: string, stallMs: number) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  const isLocal = LOOPBACK.test(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password is never sent unencrypted over a network. Mail servers on this machine rarely have certificates.
    requireTLS: !secure && user !== '' && !isLocal,
    ignoreTLS: !secure && isLocal,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: stallMs,
    greetingTimeout: stallMs,
    socketTimeout: stallMs,
    dnsTimeout: stallMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Sends mails through a server, one connection each; the neighbour bounds how many. */
export class SmtpSender {
  #transport: Promise<Transporter> | undefined;

  constructor(private readonly settings: SmtpSettings) {}

  /** Never rejects. */
  send(mail: OutgoingMail): Promise<MailFailure | undefined> {
    return this.#call((transport) => transport.sendMail({ ...mail }));
  }

  /** Logs in and sends nothing. Never rejects. */
  verify(): Promise<MailFailure | undefined> {
    return this.#call((transport) => transport.verify());
  }

  async #call(work: (transport: Transporter) => Promise<unknown>): Promise<MailFailure | undefined> {
    try {
      await this.settings.neighbour.call(async () => work(await this.#open()));
      return undefined;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Loaded with the first mail. */
  #open(): Promise<Transporter> {
    const { url, neighbour } = this.settings;
    this.#transport ??= import('nodemailer').then(({ createTransport }) =>
      createTransport(transportOptions(url, neighbour.stallMs)),
    );
    return this.#transport;
  }
}
