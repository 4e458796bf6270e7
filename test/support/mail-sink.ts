import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server';

/** A mail as a reader shows it. */
interface ReceivedMail {
  /** Of the envelope. */
  readonly recipients: readonly string[];
  readonly source: string;
  /** Names in lower case, one value per name, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface SinkBehavior {
  /** Status that refuses recipients, such as 550; undefined accepts them. */
  refuseRecipient: number | undefined;
  /** Status that refuses the text of a mail. */
  refuseData: number | undefined;
  /** Milliseconds before each reply to a mail. */
  delayMs: number;
}

export interface MailSink {
  /** As in `SMTP_URL`. */
  readonly url: string;
  readonly port: number;
  readonly behavior: SinkBehavior;
  /** All that were accepted. */
  readonly mails: ReceivedMail[];
  /** Users that logged in, with their passwords. */
  readonly logins: { readonly user: string; readonly password: string }[];
  /** Connections at once, at most. */
  readonly peak: () => number;
  /** The newest mail to an address. */
  to(address: string): ReceivedMail | undefined;
  close(): Promise<void>;
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replace(/_/g, ' ')),
    );

function parsePart(source: string): { headers: Record<string, string>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: source.slice(end + 4) };
}

function bodyOf({ headers, body }: ReturnType<typeof parsePart>): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? decodeQuoted(body) : body;
}

function parse(source: string, recipients: readonly string[]): ReceivedMail {
  const whole = parsePart(source);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers['content-type'] ?? '')?.[1] ?? '';
  const parts = whole.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r\n/, '')));
  const partOf = (type: string): string => {
    const part = parts.find(({ headers }) => headers['content-type']?.startsWith(type) === true);
    return part === undefined ? '' : bodyOf(part).replace(/\r\n/g, '\n').trim();
  };
  return {
    recipients,
    source,
    headers: whole.headers,
    subject: decodeWords(whole.headers.subject ?? ''),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}

async function sourceOf(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const refusal = (responseCode: number): Error => Object.assign(new Error('Refused'), { responseCode });

/** Starts a mail server that keeps what it accepts. */
export async function startMailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  const behavior: SinkBehavior = { refuseRecipient: undefined, refuseData: undefined, delayMs: 0 };
  const mails: ReceivedMail[] = [];
  const logins: MailSink['logins'] = [];
  let open = 0;
  let peak = 0;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    ...options,
    onAuth: ({ username, password }, _session, done) => {
      logins.push({ user: username ?? '', password: password ?? '' });
      done(null, { user: username ?? '' });
    },
    onConnect: (_session, done) => {
      open += 1;
      peak = Math.max(peak, open);
      done();
    },
    onClose: () => {
      open -= 1;
    },
    onRcptTo: (_address, _session, done) => {
      done(behavior.refuseRecipient === undefined ? null : refusal(behavior.refuseRecipient));
    },
    onData: (stream, session, done) => {
      void sourceOf(stream).then((source) => {
        if (behavior.refuseData === undefined)
          mails.push(
            parse(
              source,
              session.envelope.rcptTo.map(({ address }) => address),
            ),
          );
        setTimeout(() => {
          done(behavior.refuseData === undefined ? null : refusal(behavior.refuseData));
        }, behavior.delayMs);
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${options.secure === true ? 'smtps' : 'smtp'}://127.0.0.1:${String(port)}`,
    port,
    behavior,
    mails,
    logins,
    peak: () => peak,
    to: (address) => mails.findLast(({ recipients }) => recipients.includes(address)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
